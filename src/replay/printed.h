#ifndef REPLAY_PRINTED_H
#define REPLAY_PRINTED_H

#include <stdbool.h>
#include <stdint.h>

#include "model/record.h"

/*
 * The size that a tracker prints beside each row, against the size that shape and dtype give.
 *
 * The text is str(float)[:6]: cut, not rounded; an exponent may be lost (3.814697e-06 prints as
 * 3.8146), or digits before the point (1234567.8 prints as 123456).  So the printed size only
 * serves to find the unit, and to tell that it cannot be right.
 */

enum printed_check {
	PRINTED_FITS,
	PRINTED_ABSENT,
	PRINTED_CUT,         /* not a number: the cut went through an exponent */
	PRINTED_EXPONENT,    /* right digits, exponent lost */
	PRINTED_LOST_DIGITS, /* right digits, some before the point lost */
	PRINTED_WRONG,
};

/* `bytes`: of the whole row by the tool's own element size, × 3; `unit`: bytes of the printed unit.
 */
enum printed_check printed_check(const struct value *printed, int64_t bytes3, int64_t unit);

/* 1000² or 1024² if the row's printed size fits exactly one of them and is worth one or more of it;
 * 0: it does not tell. */
int64_t printed_unit(const struct value *printed, int64_t bytes3);

#endif
