import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { withinCost } from "../../base/cost.harness.ts";
import { seededRandom } from "../../../shared/mutate.harness.ts";
import { covers } from "../../covers.harness.ts";
import { ask, FIELDS, pack, person, sendChunk, toChunk } from "./chunks.harness.ts";
import { startImports, type ImportsWorld } from "./imports.harness.ts";
import { IMPORT_LIMITS, restCalls } from "../../../shared/protocol/rest/index.ts";

const { importCancel, importChunk, importGet } = restCalls;

let world: ImportsWorld;
beforeAll(async () => {
  world = await startImports();
}, 60_000);
afterAll(() => world.host.close());
beforeEach(() => world.closeJobs());

describe("chunks", () => {
  it(covers(importChunk, "invalid"), async () => {
    const made = await world.job(2);
    const rows = world.fresh(2);
    const good = toChunk(rows, FIELDS);
    const wrong = async (chunk: unknown, index = 0) => {
      const { status, fields } = await sendChunk(world.as(), made.id, index, chunk);
      return [status, ...Object.keys(fields)];
    };
    expect(await wrong({ ...good, v: 2 })).toEqual([400, "v"]);
    expect(await wrong(good, 1)).toEqual([400, "index"]);
    expect(await wrong({ ...good, rows: [3, 2] })).toEqual([400, "rows"]);
    expect(await wrong(toChunk([...rows, person(5)], FIELDS))).toEqual([400, "rows"]);
    expect(await wrong(toChunk(rows, ["name", "gender"]))).toEqual([400, "columns.1.field"]);
    const [first] = good.columns;
    expect(await wrong({ ...good, columns: [{ ...first, idx: [0] }] })).toEqual([
      400,
      "columns.0.idx",
    ]);
    expect(await wrong({ ...good, columns: [{ ...first, idx: [0, 9] }] })).toEqual([
      400,
      "columns.0.idx",
    ]);
    expect(await wrong(new Uint8Array([1, 2, 3]))).toEqual([400, "body"]);
    expect(await wrong(new Uint8Array(gzipSync("{")))).toEqual([400, "body"]);
    const plain = await ask(world.as(), importChunk, { id: made.id, index: 0 }, good);
    expect([plain.status, Object.keys(plain.fields)]).toEqual([400, ["content-type"]]);
    expect(await ask(world.as(), importGet, { id: made.id })).toMatchObject({
      data: { chunksDone: 0 },
    });
    expect(await world.bearing(rows)).toBe(0);
    await ask(world.as(), importCancel, { id: made.id });
  });

  it(covers(importChunk, "invalid", "a bomb is not unpacked"), async () => {
    const made = await world.job(1);
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(60_000_000, 32)));
    expect(bomb.length).toBeLessThan(100_000);
    const answer = await withinCost({ mebibytes: 50 }, () =>
      sendChunk(world.as(), made.id, 0, bomb),
    );
    expect([answer.status, answer.code]).toEqual([413, "request.too-large"]);
    expect(answer.text).toContain("解压后过大");
    const large = new Uint8Array(IMPORT_LIMITS.chunkBytes + 1);
    expect((await sendChunk(world.as(), made.id, 0, large)).code).toBe("request.too-large");
    await ask(world.as(), importCancel, { id: made.id });
  });

  it("a chunk above the general body limit is accepted", async () => {
    // Random text, which compresses badly.
    const random = seededRandom(1);
    const noise = () => Array.from({ length: 150 }, () => random().toString(36)).join("");
    const rows = Array.from({ length: 1500 }, (_, i) => ({ name: `${i}`, remark: noise() }));
    const packed = pack(toChunk(rows, ["name", "remark"]));
    expect(packed.length).toBeGreaterThan(1024 * 1024);
    const made = await world.job(1500, { fields: ["name", "remark"] });
    const answer = await sendChunk(world.as(), made.id, 0, packed);
    expect(answer.data).toMatchObject({ created: 0, refused: 1500 });
    expect(answer.data.refusals).toHaveLength(100);
    expect(await world.count("import_refusals WHERE job_id = $1", [made.id])).toBe(1500);
  });
});
