/** What the chat lets another module see and do of ringing calls. */
import type { CallCommand } from "./call-commands.ts";
import { commandMessage } from "./wire/command-message.ts";
import type { Hub } from "./delivery/hub.ts";
import type { Outgoing } from "./wire/records.ts";

export interface CallDoor {
  /**
   * Called for each message of a call that this process accepted, before it is delivered.
   *
   * @param handler gets the message, and its bytes, which `sendAgain` takes
   * @returns a function that ends it
   */
  onCommand(handler: (command: CallCommand, meta: Uint8Array) => void): () => void;
  /** Called when a device of this user has connected to this process. */
  onConnected(handler: (userName: string) => void): () => void;
  /** Logins of the user whose devices are connected to any process now. */
  sessions(userName: string): readonly string[];
  /** Delivers a message once more to the user's devices. A device that had it drops it. */
  sendAgain(userName: string, meta: Uint8Array): void;
  /** Sends a command message in a person's name. */
  send(command: {
    readonly from: string;
    readonly to: string;
    readonly action: string;
    readonly ext: Readonly<Record<string, string>>;
  }): Promise<void>;
}

/** Handlers of one kind of event. */
function createHandlers<A extends readonly unknown[]>() {
  const handlers = new Set<(...args: A) => void>();
  return {
    add(handler: (...args: A) => void): () => void {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    call(...args: A): void {
      for (const handler of handlers) handler(...args);
    },
  };
}

/** @returns the door, and what the gateway reports to it */
export function createCallDoor(deps: {
  readonly appKey: string;
  readonly nextId: () => bigint;
  readonly hub: () => Pick<Hub, "send" | "sessionsHere">;
  readonly sessionsElsewhere: (userName: string) => readonly string[];
  readonly write: (outgoing: Outgoing) => Promise<unknown>;
}) {
  const { appKey, hub, nextId } = deps;
  const commands = createHandlers<[CallCommand, Uint8Array]>();
  const connections = createHandlers<[string]>();
  const door: CallDoor = {
    onCommand: commands.add,
    onConnected: connections.add,
    sessions: (userName) => [...hub().sessionsHere(userName), ...deps.sessionsElsewhere(userName)],
    sendAgain(userName, bytes) {
      const meta = Buffer.from(bytes).toString("base64");
      hub().send(userName, { t: "push", meta, except: null });
    },
    async send(command) {
      await deps.write(commandMessage({ ...command, appKey, nextId }));
    },
  };
  return { door, passed: commands.call, connected: connections.call };
}
