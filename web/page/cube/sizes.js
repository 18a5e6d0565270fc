// sizes.js: the sizes that a cube can have, as the server does (GET /v1/limits: `size`).

export const SIZE_MIN = 2;
export const SIZE_MAX = 100;

/** A size as it is written: `3×3×3`. */
export const sizeText = (n) => `${n}×${n}×${n}`;
