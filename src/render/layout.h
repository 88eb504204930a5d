#ifndef RENDER_LAYOUT_H
#define RENDER_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

/* Places for labels that must not overlap, along one axis. */

struct place {
	double wanted; /* where the label belongs */
	double at;     /* where it goes */
	bool first;    /* shown before others when there is no room for all */
	bool shown;
};

/*
 * Gives each place a position at least `gap` from its neighbours, inside low … high, as near to the
 * wanted ones as can be; order is kept.  Where not all fit, those marked `first` come before the
 * others and the rest is not shown.  `place` comes in rising order of `wanted`.
 */
void layout_places(struct place *place, size_t places, double gap, double low, double high);

/* A label beside the upper end of a vertical line. */
struct flag {
	double x, width;
	int row;        /* 0 is the highest */
	bool leftwards; /* lies left of its line: there is no room on the right */
};

/*
 * Chooses rows so that no flag covers another or is crossed by a line; lines end at the row of
 * their flag.  `flag` comes in rising order of x.  Returns how many rows there are, INT_MAX if it
 * cannot be done.
 */
int layout_flags(struct flag *flag, size_t flags, double right);

#endif
