// calls.js: the calls of the inspection at 8 and 12 seconds, spoken or as a sound.

import { callsBetween } from './clock.js';
import { locale, t } from '../words.js';

const VOLUME = 0.2;
const SOUND_S = 0.15;
/** The second call is higher. */
const PITCH_HZ = { 8000: 660, 12000: 880 };

let audio = null;

function sound(call) {
  if (!globalThis.AudioContext) return;
  audio ??= new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = PITCH_HZ[call];
  volume.gain.setValueAtTime(VOLUME, audio.currentTime);
  volume.gain.linearRampToValueAtTime(0, audio.currentTime + SOUND_S);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + SOUND_S);
}

function voice(text) {
  if (!globalThis.speechSynthesis) return;
  const said = new SpeechSynthesisUtterance(text);
  said.lang = locale;
  speechSynthesis.speak(said);
}

/** Makes a call (8000 or 12000) as chosen: 'voice', 'sound' or 'none'. Returns its words. */
function makeCall(call, how) {
  const text = t('{n} second|{n} seconds', { n: call / 1000 });
  if (how === 'voice') voice(text);
  if (how === 'sound') sound(call);
  return text;
}

/** The calls of one clock, each made once in an inspection. */
export class Calls {
  #called = 0;

  constructor({ app, choices }) {
    Object.assign(this, { app, choices });
  }

  /** Makes the calls that are due. `inspected`: milliseconds since the inspection began, or null without one. */
  follow(inspected) {
    const now = inspected ?? 0;
    for (const call of callsBetween(this.#called, now)) this.app.say(makeCall(call, this.choices.get('calls')));
    this.#called = now;
  }
}
