/* core/format/form.h: reports what is wrong with a form. Internal to the library. */
#ifndef CORE_FORMAT_FORM_H
#define CORE_FORMAT_FORM_H

#include "cube/form.h"

/* Fills the error and returns its code. */
enum cube_form_code cube_form_fail(struct cube_form_error *error, enum cube_form_code code,
				   size_t index, int part, long expected);

#endif
