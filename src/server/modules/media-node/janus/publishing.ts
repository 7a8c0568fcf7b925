/** Publishers on a Janus server: join a room with an offer, hold packets back, restart ICE. */
import type { Logger } from "pino";
import type { Description, MediaNode, PublishRequest } from "../contracts.ts";
import { type PublishPlan, planPublish } from "../sdp/plan.ts";
import { publisherSection, writeSdp } from "../sdp/write.ts";
import { type Connection, type Connections, newConnection } from "./connections.ts";
import type { Handles } from "./handles.ts";
import { invalid, type Lifecycle } from "./lifecycle.ts";
import { createModeration } from "./moderation.ts";
import type { Rooms } from "./rooms.ts";
import { unavailable } from "./socket.ts";

export interface Publishing extends Pick<MediaNode, "publish" | "hold"> {
  restart(publisher: Connection, offer: string): Promise<Description>;
}

/** The offer that Janus receives. It is written from the plan, so that no text of the client reaches Janus. */
function sanitized(request: Pick<PublishRequest, "offer" | "vcodes">) {
  const plan = planPublish(request.offer, request.vcodes);
  const sections = plan.sections.map((section) => publisherSection("offer", section));
  return { plan, sdp: writeSdp({ ...plan.ice, candidates: plan.candidates }, sections) };
}
const midsOf = ({ sections }: PublishPlan): string => sections.map(({ mid }) => mid).join(" ");

export function createPublishing(deps: {
  readonly node: string;
  readonly log: Logger;
  readonly connections: Connections;
  readonly lifecycle: Pick<Lifecycle, "open" | "drop">;
  readonly rooms: Rooms;
  readonly message: Handles["message"];
}): Publishing {
  const { connections, lifecycle, rooms, message, log } = deps;
  const moderation = createModeration({ inRoom: rooms.ask, message });

  return {
    async publish(request) {
      const { plan, sdp } = sanitized(request);
      return lifecycle.open(request, async (handle, enter) => {
        await rooms.ensure(request.conferenceId);
        const { jsep } = await message(
          handle,
          {
            request: "joinandconfigure",
            ptype: "publisher",
            room: request.conferenceId,
            id: request.id,
            ...(request.maxVideoBitrate === undefined ? {} : { bitrate: request.maxVideoBitrate }),
          },
          { type: "offer", sdp },
        );
        if (jsep === undefined) throw unavailable("no answer came");
        const publisher = newConnection(request, handle, plan);
        enter(publisher);
        // Before the answer goes out, because the publisher sends nothing until it has the answer.
        if (request.held !== undefined) await moderation.hold(publisher, request.held);
        const none = plan.high === null;
        return {
          answer: jsep.sdp,
          hasAudio: plan.audio !== null,
          hasVideo: !none,
          vcodec: plan.vcodec,
          layers: none ? [] : plan.low === null ? ["high"] : ["low", "high"],
        };
      });
    },

    hold(id, held) {
      const c = connections.byId.get(id);
      if (c === undefined || c.sub !== null) return;
      moderation.hold(c, held).catch((error: unknown) => {
        log.warn({ err: error, node: deps.node }, "a publisher could not be held back");
        // The member publishes again, and that request carries what is held.
        if (connections.byId.get(id) === c) lifecycle.drop(id, "failed");
      });
    },

    async restart({ handle, plan: before }, offer) {
      const vcodes = before.vcodec === null ? [] : [before.vcodec];
      const { plan, sdp } = sanitized({ offer, vcodes });
      // `moderate` addresses sections by mid, so the mids must stay the same.
      if (midsOf(plan) !== midsOf(before)) throw invalid("a restart has the sections of before");
      const { jsep } = await message(handle, { request: "configure" }, { type: "offer", sdp });
      if (jsep === undefined) throw unavailable("no answer came");
      return { type: "answer", sdp: jsep.sdp };
    },
  };
}
