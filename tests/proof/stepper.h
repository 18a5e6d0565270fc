/* stepper.h: the store's writer thread one turn at a time, on a clock that only the test moves.
 *
 * So a run depends on its seed alone. Needs -Wl,--wrap=pthread_cond_timedwait,--wrap=clock_gettime: the
 * thread waits for work in the one and looks at the time with the other. */
#ifndef TESTS_PROOF_STEPPER_H
#define TESTS_PROOF_STEPPER_H

#include <stdint.h>

/* Until the thread waits for work. */
void stepper_wait(void);
/* Lets it look once for what there is to do, and waits until it has done that. */
void stepper_turn(void);
/* Moves the clock. */
void stepper_pass_ms(int64_t ms);
/* Lets it run, before the store is closed; and takes hold of the next one, before it is opened. */
void stepper_release(void);
void stepper_hold(void);

#endif
