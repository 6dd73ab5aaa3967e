// Small sounds, made here: off until they are switched on.

import { read } from "../settings.js";

let context = null;

/** @param {"card" | "turn" | "trick" | "end"} name */
export function sound(name) {
  if (!read("sounds", false) || document.hidden) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  SOUNDS[name]();
}

const SOUNDS = {
  card: () => noise(0.05, 2600, 0.12),
  trick: () => {
    noise(0.16, 1300, 0.1);
    noise(0.1, 2000, 0.07, 0.07);
  },
  turn: () => tone(660, 0.16, 0.05),
  end: () => [523, 659, 784].forEach((pitch, at) => tone(pitch, 0.5, 0.05, at * 0.11)),
};

/** A brush of filtered noise, such as a card makes. */
function noise(length, pitch, volume, delay = 0) {
  const buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++)
    samples[at] = (Math.random() * 2 - 1) * (1 - at / samples.length) ** 2;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 0.8 });
  source
    .connect(filter)
    .connect(new GainNode(context, { gain: volume }))
    .connect(context.destination);
  source.start(context.currentTime + delay);
}

function tone(pitch, length, volume, delay = 0) {
  const start = context.currentTime + delay;
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(volume, start + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  const source = new OscillatorNode(context, { type: "sine", frequency: pitch });
  source.connect(gain).connect(context.destination);
  source.start(start);
  source.stop(start + length);
}
