/** Simulated cores of tests/server/fleet-load.timed.test.ts, in a process of their own, so that the server's costs can be measured. */
import { deflateRawSync } from "node:zlib";
import { WebSocket } from "ws";

const EVERY_MS = 15_000;
/** Sockets that are opened at a time. */
const AT_ONCE = 50;

/** @param {{ urls: string[], companies: string[], seconds: number, names: string[], seed: number }} plan */
async function run({ urls, companies, seconds, names, seed }) {
  let state = seed;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const latencies = [];
  const counts = { sent: 0, acked: 0, refused: 0, commands: 0, lost: 0 };
  const cores = [];

  const report = (core) => {
    const commands = {};
    for (let i = 0; i < 8; i += 1) {
      const name = names[Math.floor(random() * names.length)];
      const ms = [];
      for (
        let gap = 12 + Math.floor(random() * 6);
        ms.length < 8;
        gap = 1 + Math.floor(random() * 3)
      ) {
        const count = 1 + Math.floor(random() * 5);
        ms.push(gap, count);
        if (commands[name] === undefined) counts.commands += count;
      }
      commands[name] ??= { ms };
    }
    core.n += 1;
    return {
      n: core.n,
      company: core.company,
      ms: EVERY_MS,
      tabs: { open: 3, visible: 1 },
      ports: 12,
      queues: { unacked: 2 },
      commands,
      fanOut: [14, 30, 1, 60, 1, 20, 2, 4, 5, 1],
      ops: 200,
      sockets: { chat: { state: "open", sent: 12, received: 40 } },
      errors: random() < 0.05 ? { "network.timeout": 1 } : {},
      pages: { measured: 3, memory: 240, largest: 100, longTasks: [39, 1] },
    };
  };
  const send = (core) => {
    core.sentAt = performance.now();
    core.socket.send(deflateRawSync(JSON.stringify(report(core))));
    counts.sent += 1;
  };
  const open = (url, i) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url);
      const core = { socket, n: 0, company: companies[i], sentAt: 0 };
      socket.once("error", reject);
      socket.on("close", () => (counts.lost += 1));
      socket.once("open", () =>
        socket.send(
          JSON.stringify({
            core: `core-${i}`,
            build: `b${i % 3}`,
            browser: "Google Chrome 140",
            os: "Windows 15",
            startedAt: 1_700_000_000_000,
          }),
        ),
      );
      socket.on("message", (data) => {
        const { n, result } = JSON.parse(String(data));
        if (n === 0) return resolve(core);
        if (result !== 0) counts.refused += 1;
        counts.acked += 1;
        latencies.push(performance.now() - core.sentAt);
      });
    });

  for (let from = 0; from < urls.length; from += AT_ONCE) {
    const batch = urls.slice(from, from + AT_ONCE);
    cores.push(...(await Promise.all(batch.map((url, i) => open(url, from + i)))));
  }
  process.send({ t: "open" });
  await new Promise((resolve) => process.once("message", resolve));

  // Every core has its own place within the 15 s.
  const began = performance.now();
  const rounds = Math.floor((seconds * 1000) / EVERY_MS);
  let next = 0;
  while (next < rounds * cores.length) {
    const due = ((performance.now() - began) / EVERY_MS) * cores.length;
    for (; next < Math.min(due, rounds * cores.length); next += 1) send(cores[next % cores.length]);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  while (counts.acked < counts.sent) await new Promise((resolve) => setTimeout(resolve, 50));
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.floor(share * latencies.length)] ?? 0;
  process.send({ t: "done", ...counts, p50: at(0.5), p99: at(0.99), most: at(0.9999) });
}

process.once("message", (plan) => {
  run(plan).catch((error) => {
    process.send({ t: "failed", message: String(error) });
  });
});
