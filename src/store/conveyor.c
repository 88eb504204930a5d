#include "store/conveyor.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { BOXES = 16 };

struct conveyor {
	conveyor_write *write;
	pthread_t thread;
	bool started, ending;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool failed;
	size_t first, waiting; /* boxes in the ring; the first may be in work */
	struct box ring[BOXES];
};

/* Writes box by box without the lock: the one in work stays where it is until it is counted off. */
static void *work(void *context)
{
	struct conveyor *c = context;

	pthread_mutex_lock(&c->lock);
	for (;;) {
		const struct box *box;
		bool failed;

		while (!c->waiting && !c->ending)
			pthread_cond_wait(&c->changed, &c->lock);
		if (!c->waiting)
			break;
		box = &c->ring[c->first];
		failed = c->failed;
		pthread_mutex_unlock(&c->lock);
		failed = failed || c->write(box) < 0;
		pthread_mutex_lock(&c->lock);
		c->failed = failed;
		c->first = (c->first + 1) % BOXES;
		c->waiting--;
		pthread_cond_broadcast(&c->changed);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

struct conveyor *conveyor_new(conveyor_write *write)
{
	struct conveyor *c = xcalloc(1, sizeof(*c));

	c->write = write;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->changed, NULL);
	return c;
}

int conveyor_push(struct conveyor *c, const struct box *box)
{
	bool failed;

	if (!c->started)
		c->started = !pthread_create(&c->thread, NULL, work, c);
	/* A machine that has no thread to give writes at once. */
	if (!c->started)
		return c->write(box);
	pthread_mutex_lock(&c->lock);
	while (c->waiting == BOXES)
		pthread_cond_wait(&c->changed, &c->lock);
	memcpy(&c->ring[(c->first + c->waiting) % BOXES], box,
	       offsetof(struct box, value) + (size_t)box->rows * sizeof(box->value[0]));
	c->waiting++;
	failed = c->failed;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
	return failed ? conveyor_settle(c) : 0;
}

int conveyor_settle(struct conveyor *c)
{
	bool failed;

	if (!c->started)
		return 0;
	pthread_mutex_lock(&c->lock);
	while (c->waiting)
		pthread_cond_wait(&c->changed, &c->lock);
	failed = c->failed;
	pthread_mutex_unlock(&c->lock);
	return failed ? -1 : 0;
}

void conveyor_reset(struct conveyor *c)
{
	conveyor_settle(c);
	pthread_mutex_lock(&c->lock);
	c->failed = false;
	pthread_mutex_unlock(&c->lock);
}

void conveyor_free(struct conveyor *c)
{
	if (!c)
		return;
	if (c->started) {
		pthread_mutex_lock(&c->lock);
		c->ending = true;
		pthread_cond_broadcast(&c->changed);
		pthread_mutex_unlock(&c->lock);
		pthread_join(c->thread, NULL);
	}
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->lock);
	free(c);
}
