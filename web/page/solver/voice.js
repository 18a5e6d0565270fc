// voice.js: commands by voice, where the browser understands speech: one of some words, said on its own or in a sentence.

import { locale } from '../words.js';

/** Browsers stop listening after a silence; the page starts them again after this time. */
const AGAIN_MS = 300;

/** Errors after which it does not make sense to begin again. */
const FINAL = ['not-allowed', 'service-not-allowed', 'audio-capture', 'language-not-supported', 'network'];

const recogniser = () => globalThis.SpeechRecognition ?? globalThis.webkitSpeechRecognition;

/** Returns true if this browser understands speech. */
export const mayListen = () => Boolean(recogniser());

/**
 * Returns the command in what was said; null: none.
 * @param {Object<string, string>} commands by name: its phrases, with commas between them
 */
export function commandIn(said, commands) {
  const isSaid = (phrase) => new RegExp(`(?<!\\p{L})${phrase}(?!\\p{L})`, 'iu').test(said);
  return Object.keys(commands).find((name) => commands[name].split(/, */).some(isSaid)) ?? null;
}

/** Listens until it is stopped, or the browser refuses: then it calls `refused`. */
export class Voice {
  #recognition = null;
  #again = null;

  constructor(commands, run, refused) {
    this.commands = commands;
    this.run = run;
    this.refused = refused;
  }

  start() {
    this.stop();
    const Recogniser = recogniser();
    const recognition = new Recogniser();
    this.#recognition = recognition;
    Object.assign(recognition, { lang: locale, continuous: true, interimResults: false });
    recognition.onresult = ({ results, resultIndex }) => {
      if (recognition !== this.#recognition) return;
      for (const [best] of Array.from(results).slice(resultIndex)) {
        const command = commandIn(best.transcript, this.commands);
        if (command) this.run(command);
      }
    };
    recognition.onerror = ({ error }) => {
      if (recognition !== this.#recognition || !FINAL.includes(error)) return;
      this.stop();
      this.refused();
    };
    recognition.onend = () => {
      if (recognition === this.#recognition) this.#again = setTimeout(() => recognition.start(), AGAIN_MS);
    };
    recognition.start();
  }

  stop() {
    clearTimeout(this.#again);
    const recognition = this.#recognition;
    this.#recognition = null;
    recognition?.abort();
  }
}
