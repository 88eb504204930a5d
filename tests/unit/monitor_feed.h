#ifndef MONITOR_FEED_H
#define MONITOR_FEED_H

/*
 * A log as text through the built-in dialects and replay, and what came out as text, for tests
 * that read like the log beside what it means:
 *
 *	@4 2026-07-14T09:00:26Z label 'after epoch 3' step 2 allocated 784.8
 *	  gpu0 used 5127 of 23034 free 17450 reserved 458
 *	  gpu0 pid 77121 python3 used 332
 *	! out-of-memory requested 32
 *	# no-value
 *
 * Sizes are MiB, with a B behind them bytes that are no whole MiB.  "used none": the log says that
 * there is no value; "used 22.00 %": of an unknown total.
 */
struct feed_options {
	const char *columns; /* as --columns */
	const char *tz;      /* as --tz */
	int notes;           /* 1: texts of notes too */
};

/* The caller frees it. */
char *feed_monitor(const char *log, const struct feed_options *options);

/* Fails the test with both texts unless the log gives exactly this. */
void expect_monitor(const char *log, const char *expected);
void expect_monitor_with(const char *log, const struct feed_options *options, const char *expected);

#endif
