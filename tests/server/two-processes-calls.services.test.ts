/** Calls and conferences whose people are at two server processes, and the death of one of them (docs/server.md#several-processes). */
import { describe, expect, it } from "vitest";
import { openSocket, type TestSocket } from "../../src/server/host.harness.ts";
import { CONFR_REST } from "../../src/shared/protocol/rest/confr.ts";
import { conferencesOpenCall } from "../../src/shared/protocol/rest/conferences.ts";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import {
  ticketPath,
  type TicketResponse,
  ticketResponseSchema,
} from "../../src/shared/protocol/rest/rtc.ts";
import { OP } from "../../src/shared/protocol/signalling.ts";
import type { TestServer } from "../support/server.ts";
import { timeLimit } from "../support/time-limits.ts";
import { json, twoProcesses } from "./two-processes.ts";

describe("Two server processes", () => {
  const { servers, inDatabase, signIn, tokenOf } = twoProcesses();

  describe("share calls and conferences", () => {
    interface Who {
      readonly at: string;
      readonly name: string;
      readonly token: string;
    }
    const at = async (server: TestServer | undefined, name: string): Promise<Who> => {
      const origin = (server?.url ?? "").replace("localhost", "127.0.0.1");
      return { at: origin, name, token: await tokenOf(origin, name) };
    };
    const post = async (
      who: Who,
      path: string,
      body: object,
      more: Record<string, string> = {},
    ): Promise<Record<string, unknown>> => {
      const authorization = `Bearer ${who.token}`;
      const response = await fetch(who.at + path, {
        method: "POST",
        headers: { authorization, "content-type": "application/json", ...more },
        body: JSON.stringify(body),
      });
      return (await response.json()) as Record<string, unknown>;
    };
    const ticket = async (who: Who, body: object): Promise<TicketResponse> =>
      ticketResponseSchema.parse(
        await post(who, ticketPath("easemob"), { uid: who.name, ...body }),
      );
    async function enter(who: Who, given: TicketResponse) {
      const socket = await openSocket(who.at + (given.ticket?.url ?? ""));
      socket.send({ op: OP.enter, tsxId: "e", ticket: given.ticket });
      const answer = await socket.waitForFrame({ op: OP.response });
      return { ...socket, answer, sessId: String(answer["sessId"]) };
    }
    /** Number of sockets at each process, which shows where they really ended. */
    const sockets = (): Promise<number[]> =>
      Promise.all(servers.map((server) => server.metric("signalling_sockets")));
    const open: TestSocket[] = [];

    it("The sides of a call at different processes meet at one of them", async () => {
      const lina = await at(servers[0], "lina");
      const wei = await at(servers[1], "zhangwei");
      const made = await ticket(lina, { confrType: 13, callee: "zhangwei" });
      const { confrId } = made;
      const a = await enter(lina, made);
      const b = await enter(wei, await ticket(wei, { confrType: 13, confrId }));
      expect(b.answer).toMatchObject({ result: 0, mems: [{ memId: "lina" }] });
      expect(b.answer["yourIp"]).toMatch(/127\.0\.0\.1$/);
      expect(await sockets()).toEqual([2, 0]);
      const body = { op: OP.answer, rtcId: "r1", sdp: "v=0" };
      b.send({ op: OP.relay, tsxId: "r", sessId: b.sessId, to: "lina", body });
      expect(await b.waitForFrame({ op: OP.response, tsxId: "r" })).toMatchObject({ result: 0 });
      expect(await a.waitForFrame({ op: OP.relay })).toMatchObject({ from: "zhangwei", body });
      // A member's exit at one process is announced at the other.
      a.close();
      await expect.poll(sockets).toEqual([1, 0]);
      b.close();
      await expect.poll(sockets).toEqual([0, 0]);
    }, 60_000);

    it("A dismissal at one process ends what the person has open at the other, and nothing of another company", async () => {
      const [a, b] = servers;
      const admin = await at(a, "admin");
      const lina = await at(a, "lina");
      const wei = await at(b, "zhangwei");
      const chats = [
        await signIn(b, "zhangwei"),
        await signIn(a, "lina"),
        await signIn(b, "wangfang"),
      ];
      let serial = 200;
      const [weiChat, linaChat, wangChat] = chats.map(({ client }) => client);
      const call = await ticket(wei, { confrType: 13, callee: "lina" });
      const caller = await enter(wei, call);
      const callee = await enter(
        lina,
        await ticket(lina, { confrType: 13, confrId: call.confrId }),
      );
      const conferenceTicket = await post(
        wei,
        ticketPath("easemob"),
        { uid: wei.name, confrType: 10 },
        {
          "supplier-id": "1",
        },
      );
      const inside = await enter(wei, ticketResponseSchema.parse(conferenceTicket));
      open.push(caller, callee, inside);
      expect((await weiChat!.text("101", "lina", "before")).status?.errorCode).toBe(0);
      await linaChat!.until("the message", () =>
        linaChat!.received.some((m) => m.text === "before"),
      );

      const headers = { authorization: `Bearer ${admin.token}`, "supplier-id": "1" };
      const listed = await json(
        await fetch(`${admin.at}${restCalls.employeeList.path}?keyword=${encodeURI("张伟")}`, {
          headers,
        }),
      );
      const [employee] = listed.data["records"] as { id: string }[];
      const put = await fetch(admin.at + restCalls.employeeDimission.path, {
        method: "PUT",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ id: employee?.id }),
      });
      expect(put.status).toBe(200);

      expect(await inside.closed()).toBe(4403);
      for (const side of [caller, callee]) {
        expect(await side.waitForFrame({ op: OP.terminate })).toMatchObject({ endReason: 13 });
      }
      await expect
        .poll(
          async () => (await weiChat!.text(String((serial += 1)), "lina", "x")).status?.errorCode,
        )
        .not.toBe(0);
      expect((await weiChat!.text("102", "wangfang", "there")).status?.errorCode).toBe(0);
      await wangChat!.until("the message", () =>
        wangChat!.received.some((m) => m.text === "there"),
      );
      expect(weiChat!.closed).toBeNull();
      for (const { client } of chats) client.socket.terminate();
      for (const socket of open.splice(0)) socket.close();
      await expect.poll(sockets).toEqual([0, 0]);
      await inDatabase("UPDATE employees SET dimission_at = NULL");
    }, 60_000);

    it("A conference has the same members, admin calls and lists at both, and a killed home is replaced", async () => {
      const lina = await at(servers[0], "lina");
      const wei = await at(servers[1], "zhangwei");
      const admin = await at(servers[1], "admin");
      const made = await ticket(lina, { confrType: 10, name: "两地" });
      const { confrId = "" } = made;
      const invited = await ticket(wei, { confrType: 10, confrId });
      const a = await enter(lina, made);
      const b = await enter(wei, invited);
      const c = await enter(admin, await ticket(admin, { confrType: 10, confrId }));
      open.push(a, b, c);
      expect(b.answer).toMatchObject({ result: 0, role: 3 });
      await a.waitForFrame({ op: OP.memberEntered });
      expect(await sockets()).toEqual([3, 0]);
      const members = async (who: Who): Promise<unknown> => {
        const response = await fetch(who.at + conferencesOpenCall.path, {
          headers: { authorization: `Bearer ${who.token}` },
        });
        const { data } = (await response.json()) as { data: unknown };
        const { conferences } = conferencesOpenCall.data.parse(data);
        return conferences.find((one) => one.confrId === confrId)?.members;
      };
      for (const who of [lina, wei]) await expect.poll(() => members(who)).toBe(3);

      // A relayed call answers with addresses at the process that was called.
      const wish = { uid: wei.name, confrType: 10, confrId };
      const relayed = await post(wei, ticketPath("easemob"), wish, { origin: wei.at });
      const { ticket: given } = ticketResponseSchema.parse(relayed);
      expect(given?.url).toBe(`/conference?confr=${confrId}`);
      expect(given?.qoeUpUrl).toContain(`${wei.at.replace("http:", "ws:")}/quality?ticket=`);

      // An admin's call that arrives at the other process.
      const { roleToken } = a.answer as { roleToken: string };
      const moved: Who = { ...lina, at: wei.at };
      const grant = { confrId, roleToken, uids: ["zhangwei"], role: 7 };
      expect(await post(moved, CONFR_REST.changeRoles("easemob"), grant)).toEqual({ error: 0 });
      const kick = { roleToken, uids: ["admin"] };
      const asSpeaker = { ...kick, roleToken: invited.roleToken };
      expect(await post(wei, CONFR_REST.kick("easemob"), asSpeaker)).toMatchObject({ error: -405 });
      expect(await post(moved, CONFR_REST.kick("easemob"), kick)).toEqual({ error: 0 });
      await expect.poll(() => members(wei)).toBe(2);

      // A killed process announces nothing. Its sockets break, and returning members find another home.
      await servers[0]?.kill("SIGKILL");
      await b.closed();
      const killed = Date.now();
      await expect
        .poll(
          async () => {
            const again = await enter(wei, invited).catch(() => null);
            if (again !== null) open.push(again);
            return again?.answer;
          },
          { timeout: timeLimit(15_000) },
        )
        // The role that was assigned before is kept.
        .toMatchObject({ result: 0, role: 7 });
      expect(Date.now() - killed).toBeLessThan(timeLimit(8000));
      await servers[0]?.start();
      const back = await enter(lina, await ticket(lina, { confrType: 10, confrId }));
      open.push(back);
      expect(back.answer).toMatchObject({ result: 0, role: 7 });
      expect(JSON.stringify(back.answer)).toContain("zhangwei");
      expect(await sockets()).toEqual([0, 2]);
      for (const socket of open) socket.close();
    }, 60_000);
  });
});
