/** The request of a ticket, for calls and conferences alike (docs/calls.md#tickets). */
import { ticketPath, type TicketRequest } from "../../shared/protocol/rest/rtc.ts";
import type { CoreEnv, Http } from "./contracts.ts";

type ProviderRequest = Parameters<Http["provider"]>[0];

/** @returns the request with what the browser is, the region, and the time on this machine in ms */
export function ticketRequest(
  { clock, config, device, build }: Pick<CoreEnv, "clock" | "config" | "device" | "build">,
  wanted: TicketRequest,
): ProviderRequest {
  const { rtcProvider, rtcRegion } = config;
  return {
    method: "POST",
    path: ticketPath(rtcProvider),
    query: {
      _ct: String(clock.now()),
      ...(rtcRegion === undefined ? {} : { REGION: rtcRegion }),
      ...(wanted.confrId === undefined ? {} : { CONFRID: wanted.confrId }),
    },
    body: { ...wanted, terminal: { ...device.terminal, version: build.slice(0, 200) } },
    tokenInBody: true,
  };
}
