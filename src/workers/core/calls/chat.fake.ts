/** A chat that delivers command messages between the devices of a test's people, to those that are connected. */
import type { CallAction, CallMessage } from "../../../shared/protocol/call-message.ts";
import { type CallSignal, callSignalSchema } from "../../../shared/protocol/call-signal.ts";
import { AppError } from "../../../shared/errors.ts";
import type { ChatCommands, ChatSignals } from "../contracts.ts";
import { settle } from "../core.fake.ts";

type Handler = (message: CallMessage, from: string) => void;

export interface FakeDevice {
  readonly commands: ChatCommands;
  readonly signals: ChatSignals;
  receive(message: CallMessage, from: string): void;
  /** The chat connection opens, or is lost. */
  connect(open: boolean): void;
}

export interface FakeChat {
  /** Every message that chat has carried. */
  readonly sent: CallMessage[];
  readonly signals: CallSignal[];
  /** Texts that were put into conversations. */
  readonly texts: { readonly from: string; readonly to: string; readonly text: string }[];
  /** Actions whose sending fails. */
  readonly failing: Set<CallAction>;
  /** Chat refuses all messages, because the two may not write to each other. */
  refusing: boolean;
  /** People whose names no list has brought. */
  readonly strangers: Set<string>;
  /** Actions that chat loses without an error. */
  readonly losing: Set<CallAction>;
  /** Signals for which this returns true are lost without an error. */
  swallow: ((signal: CallSignal) => boolean) | null;
  /** Signals for which this returns true are refused. */
  refuse: ((signal: CallSignal) => boolean) | null;
  device(user: string, device: string): FakeDevice;
}

export function createFakeChat(): FakeChat {
  interface Entry {
    readonly user: string;
    readonly device: string;
    open: boolean;
    readonly handlers: Set<Handler>;
    readonly signalHandlers: Set<(signal: CallSignal) => void>;
    readonly openHandlers: Set<(open: boolean) => void>;
  }
  const devices = new Set<Entry>();
  const chat: FakeChat = {
    sent: [],
    signals: [],
    texts: [],
    failing: new Set(),
    refusing: false,
    strangers: new Set(),
    losing: new Set(),
    swallow: null,
    refuse: null,
    device(user, device) {
      const entry: Entry = {
        user,
        device,
        open: true,
        handlers: new Set(),
        signalHandlers: new Set(),
        openHandlers: new Set(),
      };
      devices.add(entry);
      const receive: FakeDevice["receive"] = (message, from) => {
        for (const handler of entry.handlers) handler(message, from);
      };
      return {
        receive,
        commands: {
          me: () => user,
          device: () => device,
          shownName: () => null,
          nameOf: (name) => (chat.strangers.has(name) ? name : name.toUpperCase()),
          findName: (name) => settle(2).then(() => name.toUpperCase()),
          onMessage(handler) {
            entry.handlers.add(handler);
            return () => entry.handlers.delete(handler);
          },
          async send(to, action, ext) {
            await settle(2);
            if (!entry.open || chat.failing.has(action)) throw new AppError("chat.send-failed");
            if (chat.refusing) throw new AppError("chat.not-allowed");
            chat.sent.push(ext);
            if (chat.losing.has(action)) return;
            for (const other of devices) {
              if (other.user !== to || !other.open) continue;
              for (const handler of other.handlers) handler(structuredClone(ext), user);
            }
          },
        },
        signals: {
          open: () => entry.open,
          onOpen(handler) {
            entry.openHandlers.add(handler);
            return () => entry.openHandlers.delete(handler);
          },
          async send(signal) {
            await settle(2);
            if (!entry.open) throw new AppError("chat.send-failed");
            const said = callSignalSchema.parse(signal);
            if (chat.refuse?.(said) === true) throw new AppError("chat.send-failed");
            chat.signals.push(said);
            if (chat.swallow?.(said) === true) return;
            for (const other of devices) {
              if (other.user !== said.toUser || other.device !== said.toUserDevId) continue;
              if (!other.open) continue;
              for (const handler of other.signalHandlers) handler(structuredClone(said));
            }
          },
          onSignal(handler) {
            entry.signalHandlers.add(handler);
            return () => entry.signalHandlers.delete(handler);
          },
        },
        connect(open) {
          entry.open = open;
          for (const handler of entry.openHandlers) handler(open);
        },
      };
    },
  };
  return chat;
}
