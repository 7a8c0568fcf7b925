/** The tab executes input only with an executor, and leaves nothing pressed. */
import { expect, it } from "vitest";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import { BUTTON, OPER } from "../../shared/domain/remote-control.ts";
import { keyOf } from "../../shared/domain/control-keys.ts";
import type { ControlAction } from "../../shared/protocol/remote-control.ts";
import type { ControlExecutor } from "./contracts.ts";
import { createTabControl } from "./control.ts";
import { nameThisTab, showsTab } from "../media/this-tab.ts";

function world() {
  const log: unknown[] = [];
  const handlers = new Set<() => void>();
  const screen = {
    on: true,
    thisTab: false,
    onChange(handler: () => void) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
  const executor = (name: string): ControlExecutor => ({
    begin: ({ memId }) => void log.push(`${name} begin ${memId}`),
    input: (actions) => void log.push(...actions),
    end: () => void log.push(`${name} end`),
  });
  let shell: ControlExecutor | null = null;
  const control = createTabControl(
    { handle: "h", origin: "o", shell: () => shell, page: () => executor("page") },
    screen,
  );
  return {
    log,
    control,
    screen,
    executor,
    changed: () => handlers.forEach((handler) => handler()),
    setShell: (on: boolean) => void (shell = on ? executor("shell") : null),
    begin: () => control.command({ t: "control-begin", streamId: "s", memId: "m", nickName: "" }),
    input: (...actions: ControlAction[]) => control.command({ t: "control-input", actions }),
  };
}
const move = { oper: OPER.move, btn: 0, x: 1, y: 2, sn: 1, time: 0 };
const down = { oper: OPER.down, btn: BUTTON.left, x: 3, y: 4, sn: 2, time: 0 };
const roll = { oper: OPER.down, btn: BUTTON.wheelUp, x: 3, y: 4, sn: 3, time: 0 };
const key = { oper: OPER.keyDown, btn: 16, sn: 4, time: 0 };

export const checks = rowChecks({
  "control.executor: a page, a desktop shell or the host executes; without one the screen cannot be controlled":
    () => {
      const { control, screen, setShell, executor } = world();
      expect(control.able).toBe(false);
      screen.thisTab = true;
      expect(control.able).toBe(true);
      screen.thisTab = false;
      setShell(true);
      expect(control.able).toBe(true);
      setShell(false);
      control.use(executor("host"));
      expect(control.able).toBe(true);
      screen.on = false;
      expect(control.able).toBe(false);
      expect(createTabControl(null, { ...screen, on: true, thisTab: true }).able).toBe(false);
    },
  "control.trigger: left 1, wheel 2, right 4, up 8, down 16; oper up 0, down 1, move 2, keys 3 and 4":
    () => {
      expect(BUTTON).toEqual({ left: 1, wheel: 2, right: 4, wheelUp: 8, wheelDown: 16 });
      expect(OPER).toEqual({ up: 0, down: 1, move: 2, keyDown: 3, keyUp: 4 });
    },
  "control.released-keys: at the end of a control what is still down goes up": () => {
    const { log, screen, begin, input, control, changed } = world();
    screen.thisTab = true;
    input(move);
    expect(log).toEqual([]);
    begin();
    input(move, down, roll, key);
    log.length = 0;
    control.command({ t: "control-end" });
    const ups = [
      { ...down, oper: OPER.up },
      { ...key, oper: OPER.keyUp },
    ];
    expect(log).toEqual([...ups, "page end"]);
    control.command({ t: "control-end" });
    expect(log).toHaveLength(3);
    // The capture ends: so does the control.
    begin();
    input(down);
    log.length = 0;
    screen.on = false;
    changed();
    expect(log).toEqual([{ ...down, oper: OPER.up }, "page end"]);
  },
});

it("A capture is of this tab when it carries the tab's name", () => {
  const given: unknown[] = [];
  nameThisTab({ setCaptureHandleConfig: (config: unknown) => given.push(config) }, "h", "o");
  expect(given).toEqual([{ handle: "h", exposeOrigin: false, permittedOrigins: ["o"] }]);
  nameThisTab({}, "h", "o");
  const track = (handle: string | null) => ({
    getCaptureHandle: () => (handle === null ? null : { handle }),
  });
  expect([track("h"), track("x"), track(null), {}].map((one) => showsTab(one, "h"))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it("A keyCode alone means a key of the keyboard of the United States", () => {
  const keys = [65, 49, 186, 13, 112, 97, 255].flatMap((code) => [
    keyOf(code, false).key,
    keyOf(code, true).key,
  ]);
  expect(keys).toEqual(
    ["a", "A", "1", "!", ";", ":", "Enter", "Enter", "F1", "F1", "1", "1"].concat(
      "Unidentified",
      "Unidentified",
    ),
  );
});
