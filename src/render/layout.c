#include "render/layout.h"

#include <limits.h>
#include <math.h>

#include "base/vec.h"

/* Places that touch: they move as one, around the mean of what they want. */
struct cluster {
	size_t from, count;
	double sum; /* of wanted positions less the place's own offset in the cluster */
};

static bool has_room(const struct place *place, size_t places, size_t i, double gap)
{
	for (size_t k = 0; k < places; k++) {
		if (place[k].shown && fabs(place[k].wanted - place[i].wanted) < gap)
			return false;
	}
	return true;
}

/* More labels than the axis can hold: choose those that stand apart, the important ones first. */
static void choose(struct place *place, size_t places, double gap)
{
	for (int important = 1; important >= 0; important--) {
		for (size_t i = 0; i < places; i++) {
			if (place[i].first == important && has_room(place, places, i, gap))
				place[i].shown = true;
		}
	}
}

static double cluster_start(const struct cluster *c, double gap, double low, double high)
{
	double start = c->sum / (double)c->count;

	start = fmin(start, high - (double)(c->count - 1) * gap);
	return fmax(start, low);
}

static bool touches(const struct cluster *a, const struct cluster *b, double gap, double low,
		    double high)
{
	double end = cluster_start(a, gap, low, high) + (double)a->count * gap;

	return end > cluster_start(b, gap, low, high) + 1e-9;
}

/* Isotonic regression on the shown places: merge clusters until none touch. */
static void spread(struct place **shown, size_t count, double gap, double low, double high)
{
	VEC(struct cluster) clusters = VEC_INIT;

	for (size_t i = 0; i < count; i++) {
		*vec_push(&clusters) = (struct cluster){ i, 1, shown[i]->wanted };
		while (clusters.len > 1) {
			struct cluster *b = &clusters.at[clusters.len - 1], *a = b - 1;

			if (!touches(a, b, gap, low, high))
				break;
			a->sum += b->sum - (double)(a->count * b->count) * gap;
			a->count += b->count;
			clusters.len--;
		}
	}
	for (size_t c = 0; c < clusters.len; c++) {
		double start = cluster_start(&clusters.at[c], gap, low, high);

		for (size_t i = 0; i < clusters.at[c].count; i++)
			shown[clusters.at[c].from + i]->at = start + (double)i * gap;
	}
	vec_release(&clusters);
}

void layout_places(struct place *place, size_t places, double gap, double low, double high)
{
	struct place **shown = xcalloc(places + 1, sizeof(struct place *));
	size_t count = 0;

	for (size_t i = 0; i < places; i++)
		place[i].shown = false;
	if ((double)places * gap > high - low + gap) {
		choose(place, places, gap);
	} else {
		for (size_t i = 0; i < places; i++)
			place[i].shown = true;
	}
	for (size_t i = 0; i < places; i++) {
		place[i].at = place[i].wanted;
		if (place[i].shown)
			shown[count++] = &place[i];
	}
	spread(shown, count, gap, low, high);
	free(shown);
}

/* ---- flags ---- */

static bool covers(const struct flag *flag, double x)
{
	return flag->leftwards ? x > flag->x - flag->width && x <= flag->x
			       : x >= flag->x && x < flag->x + flag->width;
}

/* Flags that lie leftwards are in the highest row: their lines may cross no other, nor each other.
 */
static bool crosses_any(const struct flag *flag, size_t flags, size_t i)
{
	for (size_t k = 0; k < flags; k++) {
		if (k != i && covers(&flag[k], flag[i].x))
			return true;
		if (k != i && flag[k].leftwards && covers(&flag[i], flag[k].x))
			return true;
	}
	return false;
}

/* Rows go down from flag to flag, so that the line of each ends below those that it would cross. */
int layout_flags(struct flag *flag, size_t flags, double right)
{
	int highest = 0, rows = 0;

	for (size_t i = 0; i < flags; i++) {
		flag[i].leftwards = flag[i].x + flag[i].width > right;
		highest |= flag[i].leftwards;
	}
	for (size_t i = 0; i < flags; i++) {
		flag[i].row = flag[i].leftwards ? 0 : highest;
		if (flag[i].leftwards && crosses_any(flag, flags, i))
			return INT_MAX;
		for (size_t k = 0; k < i && !flag[i].leftwards; k++) {
			if (covers(&flag[k], flag[i].x) && flag[k].row >= flag[i].row)
				flag[i].row = flag[k].row + 1;
		}
		rows = flag[i].row >= rows ? flag[i].row + 1 : rows;
	}
	return rows;
}
