/** The call in which a person is on whichever device, for the person alone. */
import { describe, expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { type OwnCall, ownCallsCall } from "../../../shared/protocol/rest/own-calls.ts";
import { ticketPath, ticketResponseSchema } from "../../../shared/protocol/rest/rtc.ts";
import { OP, SIGNALLING_PATH } from "../../../shared/protocol/signalling.ts";
import { covers } from "../../covers.harness.ts";
import { openSocket } from "../../host.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { whoMay } from "../../who-may.harness.ts";

export const MAY = whoMay({ "calls.own": "++++" });

describe("Own calls", () => {
  const { host: platform, tokens: token } = platformForTests(["zhangwei", "lina", "admin"]);

  const own = async (who: string): Promise<OwnCall[]> => {
    const { status, body } = await platform.ask("GET", ownCallsCall.path, {
      token: token[who] ?? "",
    });
    expect(status).toBe(200);
    return ownCallsCall.data.parse(body.data).calls;
  };
  async function enter(who: string, wanted: { callee?: string; confrId?: string }) {
    const response = await fetch(`${platform.origin}${ticketPath("easemob")}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token[who] ?? ""}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ uid: who, confrType: 13, ...wanted }),
    });
    const { ticket, confrId = "" } = ticketResponseSchema.parse(await response.json());
    const socket = await openSocket(`${platform.origin}${SIGNALLING_PATH}?n=1`);
    socket.send({ op: OP.enter, tsxId: "e", ticket });
    const answer = await socket.waitForFrame({ op: OP.response, tsxId: "e" });
    expect(answer["result"]).toBe(0);
    return { confrId, socket, sessId: String(answer["sessId"]) };
  }

  it(
    covers(restCalls.ownCalls, ["success", "foreign"], "only the two see it, only while it is on"),
    async () => {
      const caller = await enter("zhangwei", { callee: "lina" });
      // It rings without an answer.
      expect(await own("zhangwei")).toEqual([]);
      const { confrId } = caller;
      await enter("lina", { confrId });
      expect(await own("zhangwei")).toEqual([
        { confrId, userName: "lina", name: "李娜", outgoing: true },
      ]);
      expect(await own("lina")).toEqual([
        { confrId, userName: "zhangwei", name: "张伟", outgoing: false },
      ]);
      expect(await own("admin")).toEqual([]);
      caller.socket.send({ op: OP.terminate, tsxId: "t", sessId: caller.sessId, reason: 0 });
      await caller.socket.waitForFrame({ op: OP.response, tsxId: "t" });
      expect(await own("lina")).toEqual([]);
    },
  );

  it(covers(restCalls.ownCalls, "refused", "without a login"), async () => {
    expect((await platform.ask("GET", ownCallsCall.path)).status).toBe(401);
  });
});
