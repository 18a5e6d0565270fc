// shaders.js: what the graphics processor computes for the cube in 3D.

export const VERTEX = `#version 300 es
in vec3 place; in vec3 normal; in vec2 cell; in float side; in float turning;
uniform mat4 projection; uniform mat3 look; uniform mat3 turn; uniform float away; uniform float lift;
out vec2 on; out vec3 at; flat out float face; out float light;
void main() {
  mat3 model = turning > 0.5 ? look * turn : look;
  vec3 seen = model * (place + lift * normal);
  gl_Position = projection * vec4(seen.xy, seen.z - away, 1.0);
  on = cell; at = place; face = side;
  light = 0.9 + 0.1 * max(0.0, dot(model * normal, normalize(vec3(0.25, 0.6, 0.9))));
}`;

/**
 * `stickers` has of each place its colour and its mark (a bit each: 1 piece, 2 goal, 4 wrong). `lit` are layers: an axis,
 * from where to where they reach, and how strong the light is.
 */
export const FRAGMENT = `#version 300 es
precision highp float; precision highp usampler2D;
in vec2 on; in vec3 at; flat in float face; in float light;
uniform usampler2D stickers; uniform sampler2D letters; uniform vec3 colours[7]; uniform vec3 inks[7];
uniform vec3 plastic; uniform vec4 lit[2];
uniform float size; uniform float lettered; uniform float stickerless; uniform float lift; uniform float pulse;
out vec4 colour;

float lightOf(vec4 layer) {
  float place = layer.x < 0.5 ? at.x : layer.x < 1.5 ? at.y : at.z;
  float along = abs(mod(face, 3.0) - (layer.x < 0.5 ? 1.0 : layer.x < 1.5 ? 0.0 : 2.0)); // 0: the face at its end
  return place > layer.y && place < layer.z ? layer.w * (along < 0.5 ? 0.45 : 1.0) : 0.0;
}

// Returns how far a point is outside a square with round corners.
float beyond(vec2 inside, float half_edge, float radius) {
  vec2 corner = abs(inside) - (half_edge - radius);
  return length(max(corner, 0.0)) + min(max(corner.x, corner.y), 0.0) - radius;
}

float cover(float distance, float pixel) { return 1.0 - smoothstep(-0.5 * pixel, 0.5 * pixel, distance); }

// Marks differ in shape: a ring for the piece, a broken ring for its goal, a cross for what is wrong.
vec3 marked(vec3 paint, vec2 inside, uint mark, float pixel) {
  float edge = beyond(inside, 0.40 - 0.03 * pulse, 0.10);
  float wide = max(0.045 + 0.02 * pulse, 0.6 * pixel);
  float line = 1e3;
  if ((mark & 1u) != 0u) line = min(line, abs(edge) - wide);
  if ((mark & 2u) != 0u) {
    vec2 dash = abs(inside);
    if (min(dash.x, dash.y) > 0.14) line = min(line, abs(edge) - wide);
  }
  if ((mark & 4u) != 0u) {
    float slant = min(abs(inside.x - inside.y), abs(inside.x + inside.y)) * 0.7071;
    line = min(line, max(slant - wide, max(abs(inside.x), abs(inside.y)) - 0.26));
  }
  paint = mix(paint, vec3(0.04), cover(line - max(0.03, 0.5 * pixel), pixel));
  return mix(paint, vec3(1.0), cover(line, pixel));
}

void main() {
  float shine = max(lightOf(lit[0]), lightOf(lit[1]));
  if (face < -0.5) {
    if (lift > 0.0) discard;
    colour = vec4(mix(plastic, vec3(1.0), 0.3 * shine) * light, 1.0);
    return;
  }
  vec2 place = clamp(floor(on), 0.0, size - 1.0);
  vec2 inside = on - place - 0.5;
  uvec2 cell = texelFetch(stickers, ivec2(place.x, face * size + place.y), 0).rg;
  uint index = min(cell.r, 6u);
  float pixel = max(length(vec2(dFdx(on.x), dFdx(on.y))), length(vec2(dFdy(on.x), dFdy(on.y))));
  float edge = stickerless > 0.5 ? beyond(inside, 0.487, 0.06) : beyond(inside, 0.45, 0.13);
  float covered = mix(cover(edge, pixel), stickerless > 0.5 ? 0.95 : 0.8, smoothstep(0.25, 0.8, pixel));
  vec3 paint = colours[index];
  if (lettered > 0.5) {
    float across = lift > 0.0 ? -inside.x : inside.x; // lifted stickers are seen from behind
    vec2 spot = vec2(across, inside.y) / 0.9 + 0.5;
    spot = vec2((clamp(spot.x, 0.02, 0.98) + float(index)) / 7.0, spot.y);
    paint = mix(paint, inks[index], textureGrad(letters, spot, dFdx(on) / 6.3, dFdy(on) / 6.3).a);
  }
  paint = mix(paint, vec3(1.0), 0.17 * shine);
  if (cell.g != 0u) paint = marked(paint, inside, cell.g, pixel);
  vec3 gap = mix(plastic, vec3(1.0), 0.5 * shine);
  if (lift > 0.0) colour = vec4(paint * light, 1.0) * covered;
  else colour = vec4(mix(gap, paint, covered) * light, 1.0);
}`;
