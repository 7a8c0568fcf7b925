/** What the reports cost a busy core: at most 0.2 % of a processor core (docs/figures.md). */
import { expect, test } from "vitest";
import { FLEET_RESULT, REPORT_MS } from "../../../shared/protocol/fleet.ts";
import { beBusy, setUp, USER } from "./reports.harness.ts";

const WARM_UP = 20;
const REPORTS = 200;
const SHARE_MAX = 0.002;

test("counting, building and packing a busy core's reports costs at most 0.2 % of a processor core", async () => {
  const core = setUp();
  core.login(USER);
  const socket = await core.connect();
  let spent = 0;
  for (let n = 1; n <= WARM_UP + REPORTS; n += 1) {
    const began = process.cpuUsage();
    beBusy(core);
    core.clock.advance(REPORT_MS);
    while (core.bytesOf(socket).length < n) await new Promise((resolve) => setImmediate(resolve));
    const { user, system } = process.cpuUsage(began);
    if (n > WARM_UP) spent += (user + system) / 1000;
    socket.receive({ n, result: FLEET_RESULT.ok });
  }
  const each = spent / REPORTS;
  console.log(
    `${each.toFixed(2)} ms of processor time a report, ${((100 * each) / REPORT_MS).toFixed(3)} % of a core`,
  );
  expect(each / REPORT_MS).toBeLessThan(SHARE_MAX);
});
