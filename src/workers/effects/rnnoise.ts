/** RNNoise: takes the noise out of speech, 10 ms at a time. */
import simd from "@sapphi-red/web-noise-suppressor/rnnoise_simd.wasm?url";

/** Samples of a frame, at the only rate that RNNoise knows. */
export const FRAME = 480;
export const SAMPLE_RATE = 48_000;
/** RNNoise expects samples of 16 bits, the browser has -1..1. */
const SCALE = 32_768;
const BYTES = 4;

interface Exports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  readonly malloc: (bytes: number) => number;
  readonly rnnoise_create: (model: number) => number;
  readonly rnnoise_process_frame: (state: number, out: number, from: number) => number;
  readonly __wasm_call_ctors: () => void;
}

/** @param code the compiled library @returns a function that replaces the samples of one frame */
export async function createRnnoise(code: BufferSource): Promise<(frame: Float32Array) => void> {
  const fail = (): never => {
    throw new Error("RNNoise has no memory left");
  };
  let memory: WebAssembly.Memory | null = null;
  const env = {
    emscripten_memcpy_big(to: number, from: number, bytes: number) {
      if (memory !== null) new Uint8Array(memory.buffer).copyWithin(to, from, from + bytes);
    },
    emscripten_resize_heap: fail,
    __assert_fail: fail,
  };
  const { instance } = await WebAssembly.instantiate(code, { env });
  const exports = instance.exports as Exports;
  memory = exports.memory;
  exports.__wasm_call_ctors();
  const state = exports.rnnoise_create(0);
  const at = exports.malloc(FRAME * BYTES);
  return (frame) => {
    const samples = new Float32Array(exports.memory.buffer, at, FRAME);
    for (let i = 0; i < FRAME; i += 1) samples[i] = frame[i]! * SCALE;
    exports.rnnoise_process_frame(state, at, at);
    for (let i = 0; i < FRAME; i += 1) frame[i] = samples[i]! / SCALE;
  };
}

export async function loadRnnoise(): Promise<(frame: Float32Array) => void> {
  const answer = await fetch(simd);
  if (!answer.ok) throw new Error(`${simd} answers ${answer.status}`);
  return createRnnoise(await answer.arrayBuffer());
}
