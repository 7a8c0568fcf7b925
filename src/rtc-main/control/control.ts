/** The tab's part of the control of its shared screen: which executor there is, and what is still pressed when control ends. */
import { BUTTON, OPER } from "../../shared/domain/remote-control.ts";
import type { ControlAction, ControlCommand } from "../../shared/protocol/remote-control.ts";
import type { Screen } from "../conference/screen.ts";
import type { ControlExecutor, ControlPort } from "./contracts.ts";

export interface TabControl {
  /** Whether input can be executed in the screen that this tab shares. */
  readonly able: boolean;
  command(command: ControlCommand): void;
  /** The host page executes by itself; null: no longer. Ends a control that goes on. */
  use(executor: ControlExecutor | null): void;
  /** Ends a control whose core is gone. */
  stop(): void;
  /** Called when `able` may have changed. */
  onChange(handler: () => void): () => void;
}

type PointerAction = Extract<ControlAction, { x: number }>;
type KeyAction = Exclude<ControlAction, { x: number }>;
const isPointer = (action: ControlAction): action is PointerAction => "x" in action;
const WHEEL = BUTTON.wheelUp | BUTTON.wheelDown;

/** Remembers what is down, and says what must go up. */
export function createPressed() {
  const keys = new Map<number, KeyAction>();
  const buttons = new Map<number, PointerAction>();
  let last: PointerAction | null = null;
  return {
    follow(actions: readonly ControlAction[]): void {
      for (const action of actions) {
        if (!isPointer(action)) {
          if (action.oper === OPER.keyDown) keys.set(action.btn, action);
          else keys.delete(action.btn);
          continue;
        }
        last = action;
        if (action.oper === OPER.down && (action.btn & WHEEL) === 0)
          buttons.set(action.btn, action);
        if (action.oper === OPER.up) buttons.delete(action.btn);
      }
    },
    /** Releases everything, buttons at the last place of the pointer. */
    release(): ControlAction[] {
      const { x = 0, y = 0 } = last ?? {};
      const ups: ControlAction[] = [
        ...[...buttons.values()].map((one) => ({ ...one, oper: OPER.up, x, y })),
        ...[...keys.values()].map((one) => ({ ...one, oper: OPER.keyUp })),
      ];
      keys.clear();
      buttons.clear();
      return ups;
    },
  };
}

export function createTabControl(
  port: ControlPort | null,
  screen: Pick<Screen, "on" | "thisTab" | "onChange">,
): TabControl {
  let host: ControlExecutor | null = null;
  let running: {
    readonly executor: ControlExecutor;
    readonly pressed: ReturnType<typeof createPressed>;
  } | null = null;
  const handlers = new Set<() => void>();
  const changed = (): void => {
    for (const handler of handlers) handler();
  };
  const executorOf = (): ControlExecutor | null => {
    if (!screen.on) return null;
    const given = host ?? port?.shell() ?? null;
    if (given !== null) return given;
    return port !== null && screen.thisTab ? port.page() : null;
  };
  const stop = (): void => {
    const was = running;
    running = null;
    if (was === null) return;
    const ups = was.pressed.release();
    if (ups.length > 0) was.executor.input(ups);
    was.executor.end?.();
  };

  screen.onChange(() => {
    if (!screen.on) stop();
    changed();
  });

  return {
    get able() {
      return executorOf() !== null;
    },
    command(command) {
      if (command.t === "control-end") return stop();
      if (command.t === "control-begin") {
        stop();
        const executor = executorOf();
        if (executor === null) return;
        running = { executor, pressed: createPressed() };
        const { streamId, memId, nickName } = command;
        return executor.begin?.({ streamId, memId, nickName });
      }
      if (running === null) return;
      running.pressed.follow(command.actions);
      running.executor.input(command.actions);
    },
    use(executor) {
      if (host === executor) return;
      stop();
      host = executor;
      changed();
    },
    stop,
    onChange(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
}
