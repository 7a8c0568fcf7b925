/** Which processes live and which one leads (docs/server.md#alerts). */
import { expect, it } from "vitest";
import { BEGIN, ruleOf, signOf } from "./alerts.harness.ts";
import { createLives, LEADS_MS, NOTICED_MS } from "./life.ts";

const gone = ruleOf("process-gone");
const node = ruleOf("media-node-gone");
const database = ruleOf("database-away");
const S = 1000;

it("The oldest process that lives leads; the next one follows when it is silent or says goodbye", () => {
  const lives = createLives();
  const old = signOf("b", { startedAt: BEGIN - 1 });
  const [young, younger] = [signOf("a"), signOf("c")];
  for (const sign of [young, old, younger]) lives.hear(sign, BEGIN);
  expect(["a", "b", "c"].map((id) => lives.leads(id, BEGIN))).toEqual([false, true, false]);
  for (const sign of [young, younger]) lives.hear(sign, BEGIN + LEADS_MS - 1);
  expect(lives.leads("a", BEGIN + LEADS_MS - 1)).toBe(false);
  expect(lives.leads("a", BEGIN + LEADS_MS)).toBe(true);
  lives.goodbye("a");
  expect(lives.leads("c", BEGIN + LEADS_MS)).toBe(true);
  // One of which nothing is known does not lead.
  expect(lives.leads("a", BEGIN + LEADS_MS)).toBe(false);
});

it("A process that is silent without a goodbye is gone, until one of its name is back for a while", () => {
  const lives = createLives();
  lives.hear(signOf("a"), BEGIN);
  lives.hear(signOf("left"), BEGIN);
  lives.goodbye("left");
  expect(lives.findings(gone, BEGIN + 19 * S)).toEqual([]);
  expect(lives.findings(gone, BEGIN + 20 * S)).toEqual([
    {
      companyId: null,
      subject: { kind: "process", name: "a:8080" },
      value: 20,
      limit: 20,
      named: null,
    },
  ]);
  const back = signOf("a2", { name: "a:8080" });
  for (let now = BEGIN + 20 * S; now < BEGIN + 20 * S + NOTICED_MS; now += 5 * S) {
    lives.hear(back, now);
    expect(lives.findings(gone, now)).toHaveLength(1);
  }
  lives.hear(back, BEGIN + 20 * S + NOTICED_MS);
  expect(lives.findings(gone, BEGIN + 20 * S + NOTICED_MS)).toEqual([]);
});

it("A process that was only frozen is not gone any more when it speaks again", () => {
  const lives = createLives();
  lives.hear(signOf("a"), BEGIN);
  expect(lives.findings(gone, BEGIN + 60 * S)).toHaveLength(1);
  lives.hear(signOf("a"), BEGIN + 61 * S);
  expect(lives.findings(gone, BEGIN + 62 * S)).toEqual([]);
});

it("A process that comes back under no name is forgotten after an hour", () => {
  const lives = createLives();
  lives.hear(signOf("a"), BEGIN);
  lives.prune(BEGIN + 3600 * S);
  expect(lives.findings(gone, BEGIN + 3600 * S)).toHaveLength(1);
  lives.prune(BEGIN + 3601 * S);
  expect(lives.isKnown("a")).toBe(false);
});

it("A process that the database alone knows is noticed, however long ago it was seen, though its name is back", () => {
  const lives = createLives();
  lives.hear(signOf("b", { name: "a:8080" }), BEGIN);
  lives.missed({ id: "a", name: "a:8080", startedAt: 1, seenAt: BEGIN - 90_000 * S }, BEGIN);
  lives.prune(BEGIN);
  expect(lives.findings(gone, BEGIN)).toMatchObject([{ subject: { name: "a:8080" } }]);
});

it("A node that does not answer is gone after the window, and one whose process ended at once", () => {
  const lives = createLives();
  const nodes = (up: boolean, restarts: number) => [{ name: "embedded@a:8080", up, restarts }];
  lives.hear(signOf("a", { nodes: nodes(true, 2) }), BEGIN);
  expect(lives.findings(node, BEGIN)).toEqual([]);
  lives.hear(signOf("a", { nodes: nodes(false, 2) }), BEGIN + S);
  lives.hear(signOf("a", { nodes: nodes(false, 2) }), BEGIN + 6 * S);
  expect(lives.findings(node, BEGIN + 10 * S)).toEqual([]);
  expect(lives.findings(node, BEGIN + 11 * S)).toMatchObject([
    { subject: { kind: "media-node", name: "embedded@a:8080" } },
  ]);
  lives.hear(signOf("a", { nodes: nodes(true, 2) }), BEGIN + 12 * S);
  expect(lives.findings(node, BEGIN + 12 * S)).toEqual([]);
  // It was started again between two signs.
  lives.hear(signOf("a", { nodes: nodes(true, 3) }), BEGIN + 17 * S);
  expect(lives.findings(node, BEGIN + 17 * S)).toHaveLength(1);
  for (let now = BEGIN + 17 * S; now < BEGIN + 17 * S + NOTICED_MS; now += 5 * S) {
    lives.hear(signOf("a", { nodes: nodes(true, 3) }), now);
  }
  expect(lives.findings(node, BEGIN + 17 * S + NOTICED_MS)).toEqual([]);
});

it("The nodes of a process that is gone are not gone besides", () => {
  const lives = createLives();
  lives.hear(signOf("a", { nodes: [{ name: "n", up: false, restarts: 0 }] }), BEGIN);
  expect(lives.findings(node, BEGIN + 60 * S)).toEqual([]);
});

it("A database that does not answer one of the processes is away, once for all of them", () => {
  const lives = createLives();
  const away = (silent: number) => ({ database: { name: "db.example:5432/console", silent } });
  lives.hear(signOf("a", away(9 * S)), BEGIN);
  lives.hear(signOf("b", away(0)), BEGIN);
  expect(lives.findings(database, BEGIN)).toEqual([]);
  lives.hear(signOf("a", away(14 * S)), BEGIN + 5 * S);
  lives.hear(signOf("b", away(10 * S)), BEGIN + 5 * S);
  expect(lives.findings(database, BEGIN + 5 * S)).toMatchObject([
    { subject: { kind: "database", name: "db.example:5432/console" } },
  ]);
});
