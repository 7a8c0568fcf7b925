/** Steps of a negotiation between the forwarding and a transport: what the library gets, and what the other side gets. */
import type { PublishPlan } from "../sdp/plan.ts";
import type { SubscribePlan } from "../sdp/subscribe-plan.ts";
import {
  answeredSection,
  type TransportParams,
  offeredSection,
  publisherSection,
  writeSdp,
} from "../sdp/write.ts";
import type { Subscriber } from "./subscriber.ts";
import type { Transport } from "./transport.ts";

/** The offer of a publisher as the library gets it. */
export const acceptable = (plan: PublishPlan): string =>
  writeSdp(
    { ...plan.ice, candidates: [] },
    plan.sections.map((section) => publisherSection("offer", section)),
  );

interface Negotiated {
  readonly own: TransportParams;
  readonly mids: readonly string[];
  readonly sdp: string;
}

export async function answerTo(
  transport: Transport,
  plan: SubscribePlan,
  subscriber: Subscriber,
  stream: string,
): Promise<Negotiated> {
  const sections = plan.sections.map((section) =>
    answeredSection(section, (route) => ({ ...subscriber.sent(route), stream })),
  );
  const offer = writeSdp({ ...plan.ice, candidates: [] }, plan.sections.map(offeredSection));
  const sending = sections.filter(({ direction }) => direction === "sendonly");
  const own = await transport.accept(offer, sending);
  return { own, mids: sections.map(({ mid }) => mid), sdp: writeSdp(own, sections) };
}
