import { afterEach, expect, it, vi } from "vitest";
import { settle } from "../clock.fake.ts";
import { createSoundMeters, type SoundPort } from "./meters.ts";

class PaperNode {
  readonly inputs = new Map<number, unknown>();
  readonly posted: unknown[] = [];
  connected = true;
  readonly port = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    postMessage: (message: unknown) => this.posted.push(message),
  };
  constructor(context: PaperContext) {
    context.nodes.push(this);
  }
  connect(): void {}
  disconnect(): void {
    this.connected = false;
  }
  emit(readings: unknown[]): void {
    this.port.onmessage?.({ data: readings });
  }
}
class PaperContext {
  readonly nodes: PaperNode[] = [];
  readonly sampleRate = 48_000;
  readonly destination = {};
  closed = false;
  loads = true;
  analysers = 0;
  readonly audioWorklet = {
    addModule: () => (this.loads ? Promise.resolve() : Promise.reject(new Error("404"))),
  };
  resume = (): Promise<void> => Promise.resolve();
  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }
  createAnalyser() {
    this.analysers += 1;
    return { fftSize: 0, getFloatTimeDomainData: (to: Float32Array) => to.fill(0.5) };
  }
}

function world(over: Partial<SoundPort> = {}) {
  vi.stubGlobal("AudioWorkletNode", PaperNode);
  const contexts: PaperContext[] = [];
  const reports: string[] = [];
  const listen = createSoundMeters({
    createContext() {
      const made = new PaperContext();
      contexts.push(made);
      return made as unknown as AudioContext;
    },
    createSource: () => {
      const used: [PaperNode, number][] = [];
      return {
        connect(node: PaperNode, _output: number, input: number) {
          used.push([node, input]);
          node.inputs?.set(input, true);
        },
        disconnect(node?: PaperNode, _output?: number, input?: number) {
          if (input !== undefined) node?.inputs?.delete(input);
        },
      } as unknown as AudioNode;
    },
    moduleUrl: "/worklet.js",
    report: (message) => reports.push(message),
    ...over,
  });
  const open = (id: number) => listen({ id: String(id) } as MediaStreamTrack);
  return { open, contexts, reports };
}
afterEach(() => vi.unstubAllGlobals());

it("Eight streams share a node, and an input that is free again is used again", async () => {
  const { open, contexts } = world();
  const listeners = Array.from({ length: 9 }, (_, i) => open(i)!);
  await settle();
  const [context] = contexts as [PaperContext];
  expect(contexts).toHaveLength(1);
  expect(context.nodes.map(({ inputs }) => inputs.size)).toEqual([8, 1]);
  const [first] = context.nodes as [PaperNode];
  first.emit([null, [0.25, 0.1, 0, 3]]);
  expect(listeners[1]!.level()).toBe(0.25);
  expect(listeners[0]!.level()).toBe(0);
  listeners[1]!.close();
  expect(first.posted).toEqual([1]);
  const next = open(10)!;
  await settle();
  expect(next.level(), "not the level of the stream before it").toBe(0);
  expect(first.inputs.has(1)).toBe(true);
});

it("With the last listener nodes and context are closed", async () => {
  const { open, contexts } = world();
  const listeners = [open(1)!, open(2)!];
  await settle();
  for (const one of [...listeners, ...listeners]) one.close();
  expect(contexts.map(({ closed }) => closed)).toEqual([true]);
  expect(contexts[0]?.nodes.map(({ connected, posted }) => [connected, posted.at(-1)])).toEqual([
    [false, null],
  ]);
  open(3);
  expect(contexts).toHaveLength(2);
});

it("An analyser measures where the worklet does not load, and nothing without WebAudio", async () => {
  const context = new PaperContext();
  context.loads = false;
  const { open, reports } = world({ createContext: () => context as unknown as AudioContext });
  const listener = open(1)!;
  await settle();
  expect(context.analysers).toBe(1);
  expect(reports).toHaveLength(1);
  expect(listener.level()).toBeCloseTo(0.5);
  expect(world({ createContext: () => null }).open(1)).toBeNull();
});
