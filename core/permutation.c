/* core/permutation.c: the parity of a permutation, by its cycles. */
#include "core/permutation.h"

bool cube_permutation_is_odd(const uint8_t *permutation, int count)
{
	uint32_t left = (UINT32_C(1) << count) - 1;
	bool odd = count % 2 != 0; /* the parity of count minus the number of cycles */
	for (int start = 0; start < count; start++) {
		if (!(left >> start & 1))
			continue;
		odd = !odd;
		for (int i = start; left >> i & 1; i = permutation[i])
			left &= ~(UINT32_C(1) << i);
	}
	return odd;
}
