/** An event to the core as the code below the host posts it. The host adds the owner epoch. */
import type { MediaEvent } from "../../shared/protocol/media-port.ts";

type WithoutEpoch<E> = E extends MediaEvent ? Omit<E, "epoch"> : never;
export type OutEvent = WithoutEpoch<MediaEvent>;
