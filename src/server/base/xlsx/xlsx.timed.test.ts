/** What a workbook that is written as it is sent needs of memory. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../shared/mutate.harness.ts";
import { writeXlsx } from "./index.ts";

const random = seededRandom(1);

describe("The stream", () => {
  it("holds no more memory after a hundred thousand rows than after the first ones", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const held: number[] = [];
    const columns = Array.from({ length: 4 }, (_, c) => ({
      title: `${c}`,
      value: (row: number) => `第${row}行${random()}`,
    }));
    function* rows() {
      for (let row = 0; row < 100_000; row += 1) {
        if (row % 20_000 === 10_000) {
          collect();
          const { heapUsed, arrayBuffers } = process.memoryUsage();
          held.push(heapUsed + arrayBuffers);
        }
        yield row;
      }
    }
    let bytes = 0;
    for await (const chunk of writeXlsx(columns, rows())) bytes += (chunk as Buffer).length;
    // Random digits hardly compress, so the workbook itself would be seen in memory.
    expect(bytes).toBeGreaterThan(4_000_000);
    expect(held).toHaveLength(5);
    expect(Math.max(...held) - held[0]!).toBeLessThan(2_000_000);
  });
});
