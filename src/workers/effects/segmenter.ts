/**
 * Finds the person in a picture: the selfie model of MediaPipe for landscape pictures, whose package has it, run by LiteRT, which is what
 * runs models inside MediaPipe. MediaPipe's own segmenter goes through WebGL and back, also where no graphics processor is
 * (docs/calls.md#effects has the figures).
 */
import { loadAndCompile, loadLiteRt, Tensor } from "@litertjs/core";
import glue from "@litertjs/core/wasm/litert_wasm_internal.js?url";
import code from "@litertjs/core/wasm/litert_wasm_internal.wasm?url";
import model from "@mediapipe/selfie_segmentation/selfie_segmentation_landscape.tflite?url";
import { MODEL } from "./pixels.ts";

export interface Segmenter {
  /** @param picture RGB, 0..1, at the model's size @returns how sure the model is that a pixel belongs to a person, 0..1 */
  run(picture: Float32Array): Promise<Float32Array>;
}

interface GlueScope {
  exports?: object;
  module?: { exports: unknown };
  ModuleFactory?: unknown;
  Module?: object;
  importScripts: (url: string) => void;
}

/** LiteRT imports its glue by `importScripts`, which module workers refuse. So it is imported before, as what it is: CommonJS. */
async function importGlue(scope: GlueScope): Promise<void> {
  const module = { exports: {} };
  Object.assign(scope, { module, exports: module.exports });
  await import(/* @vite-ignore */ new URL(glue, location.href).href);
  delete scope.module;
  delete scope.exports;
  const quiet = (): void => undefined;
  Object.assign(scope, {
    ModuleFactory: module.exports,
    Module: { locateFile: () => new URL(code, location.href).href, print: quiet, printErr: quiet },
    importScripts: quiet,
  });
}

/** LiteRT would open a graphics processor for itself, or complain that there is none. The processor is enough for this model. */
function hideGraphics(): void {
  const adapter = {
    limits: {},
    features: new Set<string>(),
    requestDevice: () => Promise.resolve(null),
  };
  const gpu = { requestAdapter: () => Promise.resolve(adapter) };
  Object.defineProperty(navigator, "gpu", { value: gpu, configurable: true });
}

/** Call once in a worker. @throws when the browser lacks what the model needs */
export async function createSegmenter(): Promise<Segmenter> {
  hideGraphics();
  // What the script defines is a global without a type.
  await importGlue(globalThis as unknown as GlueScope);
  await loadLiteRt(glue);
  const compiled = await loadAndCompile(new URL(model, location.href).href, {
    accelerator: "wasm",
  });
  const shape = [1, MODEL.height, MODEL.width, 3];
  return {
    async run(picture) {
      const input = new Tensor(picture, shape);
      const [output] = await compiled.run(input);
      input.delete();
      if (output === undefined) throw new Error("the model has no output");
      const sure = output.toTypedArray();
      output.delete();
      return sure as Float32Array;
    },
  };
}
