/**
 * A call goes on on another device (docs/calls.md#to-another-device): three cores, two of them of one person, on the server's own rules.
 */
import { afterEach, describe, expect, it } from "vitest";
import { createFrameHandler } from "../../src/server/base/signalling/frame-handler.ts";
import { createOpenCalls } from "../../src/server/modules/calls/open-calls.ts";
import { createCallProtocol } from "../../src/server/modules/calls/ops.ts";
import { CALL_TEXTS } from "../../src/shared/domain/call-texts.ts";
import { AppError } from "../../src/shared/errors.ts";
import { WS_CLOSE } from "../../src/shared/protocol/signalling.ts";
import { createWorld, type Person, type World } from "../../src/workers/core/calls/call.harness.ts";
import type { CoreEnv, SocketLike } from "../../src/workers/core/contracts.ts";

/** The server's rules behind sockets in this process. */
function createServer({ clock }: World) {
  let ids = 0;
  const ended: number[] = [];
  const calls = createOpenCalls({
    clock: { now: clock.now, setTimeout: (run, ms) => clock.after(ms, run) },
    newId: () => `s${(ids += 1)}`,
    onEnded: (_id, reason) => void ended.push(reason),
  });
  const protocol = createCallProtocol({
    calls,
    admit: ({ confrId, memName }) =>
      Promise.resolve({
        result: 0,
        loginSession: "login",
        confrId,
        memName,
        role: 7,
        sides: [memName, "other"],
      }),
  });
  const open = (): SocketLike & { cut(code: number): void } => {
    let state = 0;
    const end = (code: number): void => {
      if (state === 3) return;
      state = 3;
      handler.gone();
      queueMicrotask(() => socket.onclose?.({ code, reason: "" }));
    };
    const socket: SocketLike & { cut(code: number): void } = {
      get readyState() {
        return state;
      },
      onopen: null,
      onmessage: null,
      onclose: null,
      onerror: null,
      send: (data) => queueMicrotask(() => state === 1 && handler.receive(String(data))),
      close: () => end(1000),
      cut: end,
    };
    const handler = createFrameHandler(
      {
        get open() {
          return state === 1;
        },
        send(frame: unknown) {
          if (state !== 1) return false;
          const data = JSON.stringify(frame);
          queueMicrotask(() => socket.onmessage?.({ data }));
          return true;
        },
        close: end,
      },
      { address: "", identify: () => true },
      protocol,
      {
        onBad: () => undefined,
        onInside: () => undefined,
        onError(error) {
          throw error;
        },
      },
    );
    queueMicrotask(() => {
      if (state !== 0) return;
      state = 1;
      socket.onopen?.();
    });
    return socket;
  };
  return { calls, ended, open };
}

let people: Person[] = [];
let world: World;
afterEach(async () => {
  for (const person of people) await person.hangup();
  await world.run(70_000);
  expect(world.clock.pending).toBe(0);
  for (const person of people) person.calls.stop();
});

/** `who` is on the desk and goes on on the phone. */
async function connected(who: "caller" | "callee") {
  world = createWorld();
  const server = createServer(world);
  const sockets = new Map<Person, ReturnType<typeof server.open>[]>();
  const join = (user: string, device?: string): Person => {
    const person = world.person(user, device);
    person.calls.stop();
    const opened: ReturnType<typeof server.open>[] = [];
    sockets.set(person, opened);
    const openSocket: CoreEnv["openSocket"] = () => {
      const socket = server.open();
      opened.push(socket);
      return socket;
    };
    person.startCore({ openSocket });
    return person;
  };
  const desk = join("ann");
  const other = join("bob");
  people = [desk, other];
  const [from, to] = who === "caller" ? [desk, other] : [other, desk];
  void from.start(to.user);
  await world.run(100);
  await to.answer();
  await world.run(300);
  expect([desk.call.connection, other.call.connection]).toEqual(["connected", "connected"]);
  const phone = join("ann", "ann-phone");
  people.push(phone);
  phone.http.own = [
    {
      confrId: desk.call.info?.channel ?? "",
      userName: "bob",
      name: "Bob",
      outgoing: who === "caller",
    },
  ];
  phone.calls.ownCallsChanged();
  await world.run(50);
  expect(phone.call.elsewhere?.name).toBe("Bob");
  return { desk, other, phone, server, sockets, callId: desk.call.info?.callId ?? "" };
}

it("A device's call is not offered to it as one of another device, also not at its end", async () => {
  const { desk, other, phone } = await connected("caller");
  desk.http.own = phone.http.own;
  desk.calls.ownCallsChanged();
  await world.run(50);
  expect(desk.call.elsewhere ?? null).toBeNull();
  await other.hangup();
  await world.run(1000);
  expect(desk.call.status).toBe("idle");
  expect(desk.call.elsewhere ?? null).toBeNull();
});

for (const who of ["caller", "callee"] as const) {
  describe(`the ${who} goes on on another device`, () => {
    it("The first device carries the call until the other side receives by the new one; it stays one call", async () => {
      const { desk, other, phone, server, callId } = await connected(who);
      await desk.setLocal({ audioMuted: true });
      const began = desk.call.startedAt ?? 0;
      await world.run(1_000);
      world.net.up = false;
      await phone.goOn();
      await world.run(500);
      expect(phone.call).toMatchObject({ status: "sendAnswer", info: { callId } });
      // What was muted opens muted.
      expect(phone.first.commandsOfType("own")).toMatchObject([{ callId, audioMuted: true }]);
      expect(desk.call).toMatchObject({ status: "chat", connection: "connected" });
      expect(desk.first.commandsOfType("release")).toEqual([]);
      const [rtcId] = [...phone.first.rtcIds];
      expect(other.first.rtcIds).toContain(rtcId);

      world.net.up = true;
      world.net.complete(rtcId ?? "");
      await world.run(300);
      expect(phone.call).toMatchObject({
        status: "chat",
        connection: "connected",
        info: { callId },
      });
      expect(phone.call.startedAt).toBe(began);
      expect(desk.call.status).toBe("idle");
      expect(desk.call.lastOutcome).toMatchObject({ callId, outcome: "moved" });
      expect(desk.texts()).toContain(CALL_TEXTS.sayMoved.text);
      expect(other.call).toMatchObject({
        status: "chat",
        connection: "connected",
        info: { callId },
      });
      expect([...other.first.rtcIds]).toEqual([rtcId]);
      expect(other.call.remote.audioMuted).toBe(true);
      expect(server.ended).toEqual([]);

      // The end is everybody's, and one record says all of it.
      await phone.hangup();
      await world.run(1_000);
      expect([phone.call.status, other.call.status]).toEqual(["idle", "idle"]);
      expect(server.ended).toEqual([0]);
      expect(desk.http.reports).toEqual([]);
      expect(phone.http.reports).toMatchObject([
        { callId, result: "answered", media: "video", answeredAt: began },
      ]);
    });

    it("A device that cannot open its microphone leaves the call where it is", async () => {
      const { desk, other, phone, server } = await connected(who);
      phone.first.openError = new AppError("media.permission-denied").toWire();
      await phone.goOn();
      await world.run(1_000);
      expect(phone.call.status).toBe("idle");
      expect(phone.http.reports).toEqual([]);
      expect(phone.call.elsewhere?.name).toBe("Bob");
      expect([desk.call.connection, other.call.connection]).toEqual(["connected", "connected"]);
      expect(server.ended).toEqual([]);
    });

    it("A hang-up on the new device before it has the call ends nothing", async () => {
      const { desk, other, phone, server } = await connected(who);
      world.net.up = false;
      await phone.goOn();
      await world.run(300);
      await phone.hangup();
      world.net.up = true;
      await world.run(3_000);
      expect(phone.call.status).toBe("idle");
      expect([desk.call.status, other.call.status]).toEqual(["chat", "chat"]);
      expect(server.ended).toEqual([]);
    });

    it("A hang-up of the other side meanwhile ends it on both devices", async () => {
      const { desk, other, phone } = await connected(who);
      world.net.up = false;
      await phone.goOn();
      await world.run(300);
      await other.hangup();
      await world.run(1_000);
      expect([desk.call.status, phone.call.status]).toEqual(["idle", "idle"]);
    });

    it("With a client that does not say that it receives, the call moves 2 s after the connection is up", async () => {
      const { desk, phone } = await connected(who);
      world.net.mute.add("audio").add("video");
      await phone.goOn();
      await world.run(1_500);
      expect(desk.call.status).toBe("chat");
      await world.run(1_500);
      expect([desk.call.status, phone.call.status]).toEqual(["idle", "chat"]);
    });
  });
}

it("A device that keeps the call, as in a conference, is not left; the person reads so", async () => {
  const { desk, phone } = await connected("caller");
  desk.enterConference();
  await phone.goOn();
  await world.run(500);
  expect(phone.call.status).toBe("idle");
  expect(phone.texts()).toEqual([CALL_TEXTS.sayNotMoved.text]);
  expect(desk.call.status).toBe("chat");
});

it("The call can go back to the first device", async () => {
  const { desk, other, phone, callId } = await connected("caller");
  await phone.goOn();
  await world.run(500);
  expect([desk.call.status, phone.call.status]).toEqual(["idle", "chat"]);
  desk.http.own = phone.http.own;
  desk.calls.ownCallsChanged();
  await world.run(50);
  await desk.goOn();
  await world.run(500);
  expect([desk.call.status, phone.call.status]).toEqual(["chat", "idle"]);
  expect(other.call).toMatchObject({ status: "chat", connection: "connected", info: { callId } });
});

it("A socket that is lost on the way is entered again, and the call still moves", async () => {
  const { desk, phone, sockets } = await connected("callee");
  world.net.up = false;
  await phone.goOn();
  await world.run(300);
  sockets.get(phone)?.at(-1)?.cut(WS_CLOSE.tryAgain);
  await world.run(500);
  world.net.up = true;
  world.net.complete([...phone.first.rtcIds][0] ?? "");
  await world.run(3_000);
  expect([desk.call.status, phone.call.status]).toEqual(["idle", "chat"]);
});
