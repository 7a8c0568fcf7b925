/** Places and custom messages of easemob-websdk, for sdk-messages.ts. A sender can write anything, so each part is checked. */
import { isSafeKey } from "../../../../shared/domain/chat.ts";
import {
  CARD_EVENT,
  type ChatCustom,
  type ChatPlace,
  isCard,
} from "../../../../shared/protocol/chat-parts.ts";
import { z } from "../../../../shared/zod.ts";

/** Characters of an address and of the name of a custom event. */
const ADDRESS_MAX = 500;
const EVENT_MAX = 64;
/** Fields of a custom message, and characters of their names and values. */
const FIELDS_MAX = 20;
const FIELD_NAME_MAX = 64;
const FIELD_MAX = 500;

const text = z.string().catch("").default("");
const degrees = (max: number) => z.coerce.number().min(-max).max(max).nullable().catch(null);
export const contentsSchema = z.object({
  addr: text,
  buildingName: text,
  lat: degrees(90).default(null),
  lng: degrees(180).default(null),
  customEvent: text,
  // the list of conversations gives them as a list
  customExts: z
    .union([
      z.record(z.string(), z.unknown()),
      z
        .array(z.record(z.string(), z.unknown()))
        .max(FIELDS_MAX)
        .transform((list) => Object.assign({}, ...list) as Record<string, unknown>),
    ])
    .catch({})
    .default({}),
});
type Contents = z.infer<typeof contentsSchema>;

export function placeOf({ addr, buildingName, lat, lng }: Contents): ChatPlace {
  const address = [buildingName, addr].filter((word) => word !== "").join(" ");
  const known = lat !== null && lng !== null;
  return {
    address: address.slice(0, ADDRESS_MAX),
    at: known ? { latitude: lat, longitude: lng } : null,
  };
}

export function customOf({ customEvent, customExts }: Contents): ChatCustom {
  const fields = Object.entries(customExts).flatMap(([name, value]): [string, string][] => {
    const said = typeof value === "number" ? String(value) : value;
    if (typeof said !== "string" || name.length > FIELD_NAME_MAX || !isSafeKey(name)) return [];
    return [[name, said.slice(0, FIELD_MAX)]];
  });
  return {
    event: customEvent.slice(0, EVENT_MAX),
    fields: Object.fromEntries(fields.slice(0, FIELDS_MAX)),
  };
}

/** What the list of conversations and clients that know no such message show. */
export const customText = (custom: ChatCustom): string =>
  isCard(custom) ? (custom.fields["nickname"] ?? "") : custom.event;

/** The options of `message.create`. */
export const placeOptions = ({ address, at }: ChatPlace) => ({
  addr: address,
  buildingName: "",
  lat: at?.latitude ?? 0,
  lng: at?.longitude ?? 0,
});
export const customOptions = ({ event, fields }: ChatCustom) => ({
  customEvent: event,
  customExts: { ...fields },
});

/** A card of a person, as the vendor's own kits write it. */
export const cardOf = (person: {
  readonly userName: string;
  readonly name: string;
}): ChatCustom => ({
  event: CARD_EVENT,
  fields: { uid: person.userName, nickname: person.name },
});
