/**
 * Who is connected to this process, and the bus between processes. For every user with a socket here, the process subscribes to
 * the topic `chat:user:<name>`. Deliveries, pushes, kicks and replaced logins all go through this topic, also within one
 * process.
 */
import { z } from "zod";
import type { Logger } from "pino";
import { WS_CLOSE } from "../../../../shared/protocol/signalling.ts";
import type { Bus } from "../../../base/module.ts";
import { CHAT_LIMITS } from "../limits.ts";
import { KICK } from "../wire/wire.ts";

/** The last new entry of a group's inbox. */
export interface GroupNews {
  /** The key of the group. */
  readonly owner: string;
  readonly upTo: bigint;
}

/** A logged-in socket, as the hub sees it. */
export interface Device {
  /** Grows over time, so that of two logins the later one stays. */
  readonly connectionId: bigint;
  readonly userName: string;
  readonly resource: string;
  readonly sessionId: string | null;
  /** There is something new: up to this entry of a group's inbox, or in the user's own inbox. */
  notify(inbox?: GroupNews): void;
  push(meta: Uint8Array): void;
  /** Tells the client the reason (StatisticsBody), then closes the socket. */
  kick(operation: number, reason: string): void;
  /** Closes the socket without a reason: the client may log in again. */
  drop(code: number, reason: string): void;
}

const eventSchema = z.discriminatedUnion("t", [
  /** There is a new inbox entry. `except` is the device that sent it. */
  z.object({
    t: z.literal("notice"),
    except: z.string().nullable(),
    /** The process that wrote it. One of an older build names none. */
    node: z.string().optional(),
  }),
  z.object({ t: z.literal("push"), meta: z.base64(), except: z.string().nullable() }),
  z.object({
    t: z.literal("login"),
    resource: z.string(),
    connectionId: z.string().regex(/^\d+$/),
  }),
  z.object({ t: z.literal("kick"), operation: z.number().int(), reason: z.string() }),
]);
export type HubEvent = z.infer<typeof eventSchema>;
/** One event for many: a message to a group crosses the bus once, however many members it has. */
const manySchema = z.object({ users: z.array(z.string()), event: eventSchema });
const MANY = "chat:users";

export interface Hub {
  /** Registers a socket. It replaces a former socket of the same device; above the device limit the oldest socket is kicked. */
  join(device: Device): void;
  leave(device: Device): void;
  send(userName: string, event: HubEvent): void;
  /** As `send` to each of them, by one message between the processes. */
  sendAll(userNames: readonly string[], event: HubEvent): void;
  /** Notifies the devices at this process of those of the users who are here. @param except the device that wrote what is new */
  notifyHere(
    userNames: ReadonlySet<string>,
    news: GroupNews,
    except: { readonly userName: string; readonly resource: string } | null,
  ): void;
  /** Pushes a message to the user's devices at this process, except those of one login. */
  pushHere(userName: string, meta: Uint8Array, exceptSession: string | null): void;
  /** Whether the user is connected to any process. */
  isOnline(userName: string): boolean;
  /** Devices of the user at every process. */
  resources(userName: string): string[];
  /** Logins of the user's devices at this process. */
  sessionsHere(userName: string): string[];
  /** Logins of all devices at this process. */
  allSessionsHere(): Set<string>;
  /** Users of this process with their devices here. */
  local(): [string, string[]][];
  /** Closes the sockets of a session at this process. @param farewell the last message that a device gets, if any */
  endSession(sessionId: string, farewell?: (userName: string) => Uint8Array): void;
  /** Whether a device of the user is connected to this process. */
  isHere(userName: string): boolean;
  readonly size: number;
  /** Closes every socket with the shutdown code. Idempotent. */
  close(): void;
}

/**
 * @param deps.onPresence called when a user's first socket connects or the last one disconnects
 * @param deps.elsewhere returns the user's devices at other server processes
 * @param deps.onDevices called when a device connects to this process or disconnects from it
 */
export function createHub(deps: {
  bus: Bus;
  log: Logger;
  onPresence: (userName: string) => void;
  elsewhere?: (userName: string) => string[];
  onDevices?: (userName: string, resources: string[], joined: boolean) => void;
  /** Names this process in what it sends. */
  node: string;
  /** Called when another process has written to the inbox of a user who is connected here, before the devices are notified. */
  onWrittenElsewhere: (userName: string) => void;
}): Hub {
  const users = new Map<string, { devices: Set<Device>; unsubscribe: () => void }>();
  let size = 0;

  function receive(userName: string, message: unknown): void {
    const parsed = eventSchema.safeParse(message);
    if (!parsed.success) {
      deps.log.warn({ topic: "chat:user" }, "unreadable message on the bus");
      return;
    }
    apply(userName, parsed.data);
  }

  function apply(userName: string, event: HubEvent): void {
    if (event.t === "notice" && event.node !== deps.node) deps.onWrittenElsewhere(userName);
    for (const device of devicesOf(userName)) {
      switch (event.t) {
        case "notice":
          if (event.except !== device.resource) device.notify();
          break;
        case "push":
          if (event.except !== device.resource) device.push(Buffer.from(event.meta, "base64"));
          break;
        case "login":
          if (
            event.resource === device.resource &&
            BigInt(event.connectionId) > device.connectionId
          ) {
            device.kick(KICK.otherLogin, "the device logged in again");
          }
          break;
        case "kick":
          device.kick(event.operation, event.reason);
          break;
      }
    }
  }

  // Copies, because a dropped device leaves the set during the iteration.
  const everyone = (): Device[] => Array.from(users.values()).flatMap((u) => Array.from(u.devices));
  const devicesOf = (userName: string): Device[] => Array.from(users.get(userName)?.devices ?? []);

  const here = (userName: string): string[] => devicesOf(userName).map((m) => m.resource);
  const elsewhere = (userName: string): string[] => deps.elsewhere?.(userName) ?? [];

  const publish = (topic: string, message: unknown): void => {
    deps.bus.publish(topic, message).catch((error: unknown) => {
      deps.log.error({ err: error }, "chat event not published");
    });
  };
  const send = (userName: string, event: HubEvent): void => publish(`chat:user:${userName}`, event);
  const endMany = deps.bus.subscribe(MANY, (message) => {
    const parsed = manySchema.safeParse(message);
    if (!parsed.success) {
      deps.log.warn({ topic: MANY }, "unreadable message on the bus");
      return;
    }
    for (const userName of parsed.data.users) apply(userName, parsed.data.event);
  });

  return {
    join(device) {
      let user = users.get(device.userName);
      const first = user === undefined;
      if (user === undefined) {
        user = {
          devices: new Set(),
          unsubscribe: deps.bus.subscribe(`chat:user:${device.userName}`, (message) =>
            receive(device.userName, message),
          ),
        };
        users.set(device.userName, user);
      }
      user.devices.add(device);
      size += 1;
      for (const other of devicesOf(device.userName)) {
        if (other !== device && other.resource === device.resource) {
          other.kick(KICK.otherLogin, "the device logged in again");
        }
      }
      // Insertion order is age order.
      for (const oldest of devicesOf(device.userName).slice(
        0,
        Math.max(0, user.devices.size - CHAT_LIMITS.connectionsPerUser),
      )) {
        oldest.kick(KICK.kicked, "too many devices");
      }
      send(device.userName, {
        t: "login",
        resource: device.resource,
        connectionId: String(device.connectionId),
      });
      deps.onDevices?.(device.userName, here(device.userName), true);
      if (first) deps.onPresence(device.userName);
    },
    leave(device) {
      const user = users.get(device.userName);
      if (user === undefined || !user.devices.delete(device)) return;
      size -= 1;
      deps.onDevices?.(device.userName, here(device.userName), false);
      if (user.devices.size > 0) return;
      user.unsubscribe();
      users.delete(device.userName);
      deps.onPresence(device.userName);
    },
    send,
    sendAll(userNames, event) {
      const [first] = userNames;
      if (first === undefined) return;
      if (userNames.length === 1) send(first, event);
      else publish(MANY, { users: userNames, event });
    },
    notifyHere(userNames, news, except) {
      const [few, isOther] =
        userNames.size < users.size
          ? [userNames.keys(), (name: string) => users.has(name)]
          : [users.keys(), (name: string) => userNames.has(name)];
      for (const userName of few) {
        if (!isOther(userName)) continue;
        for (const device of devicesOf(userName)) {
          const isAuthor = userName === except?.userName && device.resource === except.resource;
          if (!isAuthor) device.notify(news);
        }
      }
    },
    pushHere(userName, meta, exceptSession) {
      for (const device of devicesOf(userName)) {
        if (exceptSession === null || device.sessionId !== exceptSession) device.push(meta);
      }
    },
    endSession(sessionId, farewell) {
      for (const device of everyone()) {
        if (device.sessionId === sessionId) {
          if (farewell !== undefined) device.push(farewell(device.userName));
          device.drop(WS_CLOSE.unauthorised, "the session has ended");
        }
      }
    },
    isHere: (userName) => users.has(userName),
    isOnline: (userName) => users.has(userName) || elsewhere(userName).length > 0,
    resources: (userName) => [...new Set([...here(userName), ...elsewhere(userName)])],
    sessionsHere: (userName) =>
      devicesOf(userName).flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId])),
    allSessionsHere: () => new Set(everyone().flatMap(({ sessionId }) => sessionId ?? [])),
    local: () => Array.from(users.keys(), (userName) => [userName, here(userName)]),
    get size() {
      return size;
    },
    close() {
      endMany();
      for (const device of everyone()) device.drop(WS_CLOSE.shutdown, "shutdown");
    },
  };
}
