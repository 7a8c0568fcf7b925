/**
 * Reads the server's state of a conference, independently of the browsers: as a member without media that requests copies (op
 * 1000).
 */
import { openSocket } from "../../src/server/host.harness.ts";
import { OP } from "../../src/shared/protocol/signalling.ts";
import {
  type ConferenceMember,
  type ConferenceStream,
} from "../../src/shared/protocol/confr-model.ts";
import {
  CONFR_PATH,
  memberOf,
  type WireMember,
} from "../../src/shared/protocol/confr-signalling.ts";
import { ticketPath, ticketResponseSchema } from "../../src/shared/protocol/rest/rtc.ts";
import { PASSWORD } from "./people.ts";
import { restLogin } from "./rest-login.ts";

/** The parts of a conference that are compared. */
export interface ConferenceView {
  readonly members: readonly (readonly [memId: string, role: number])[];
  /** Who publishes what, and which parts are off. */
  readonly streams: readonly (readonly [memId: string, type: number, voff: number, aoff: number])[];
  readonly muteAll: boolean;
  readonly attrs: Readonly<Record<string, string>>;
}

export const viewOf = (
  members: readonly ConferenceMember[],
  streams: readonly ConferenceStream[],
  muteAll: boolean,
  attrs: Readonly<Record<string, string>>,
): ConferenceView => ({
  members: members.map(({ memId, role }) => [memId, role] as const).toSorted(),
  streams: streams
    .map(({ memId, type, voff, aoff }) => [memId, type, voff, aoff] as const)
    .toSorted(),
  muteAll,
  attrs,
});

export interface Observer {
  /** Its own memId, which all members see. */
  readonly memId: string;
  view(): Promise<ConferenceView>;
  close(): void;
}

/**
 * @param user chat user name and login name of a person who may enter; the observer enters with a separate device
 * @param role as the wire has it: 1 is audience
 */
export async function observe(
  origin: string,
  user: string,
  confrId: string,
  role = 1,
): Promise<Observer> {
  const { grant } = await restLogin(origin, user, PASSWORD);
  const asked = await fetch(origin + ticketPath("easemob"), {
    method: "POST",
    headers: {
      authorization: `Bearer ${grant.access_token}`,
      "content-type": "application/json",
      "supplier-id": "1",
    },
    body: JSON.stringify({ uid: user, confrType: 10, confrId, role }),
  });
  const { ticket, errorMessage } = ticketResponseSchema.parse(await asked.json());
  if (ticket === undefined) throw new Error(`no ticket for the observer: ${errorMessage}`);
  const socket = await openSocket(origin + CONFR_PATH);
  socket.send({ op: OP.enter, tsxId: "enter", tkt: ticket, resource: "observer" });
  const entered = await socket.waitForFrame({ op: OP.response, tsxId: "enter" });
  const sessId = String(entered["sessId"]);
  let serial = 0;
  return {
    memId: String(entered["memId"]),
    async view() {
      const tsxId = `copy-${(serial += 1)}`;
      socket.send({ op: OP.copy, tsxId, sessId });
      const copy = (await socket.waitForFrame({ op: OP.response, tsxId })) as unknown as {
        mems: WireMember[];
        streams: ConferenceStream[];
        cattrs: { key: string; val: string }[];
        cstate: { muteAll: boolean };
      };
      const attrs = Object.fromEntries(copy.cattrs.map(({ key, val }) => [key, val]));
      return viewOf(copy.mems.map(memberOf), copy.streams, copy.cstate.muteAll, attrs);
    },
    close: () => socket.close(),
  };
}
