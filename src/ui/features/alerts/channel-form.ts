/** What the form of a channel holds, and the channel that it makes. Pure. */
import type { AlertChannel } from "../../../shared/protocol/rest/alerts.ts";

type ChannelBody = Pick<
  AlertChannel,
  "name" | "type" | "target" | "format" | "leastLevel" | "language" | "on"
>;

/** The parts of a text that commas separate, also Chinese ones. */
export const listedIn = (text: string): string[] =>
  text
    .split(/[,，;；\s]+/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Whether it looks like a mail address; the server checks it again. */
export const isMail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/** Whether it looks like an address that can be asked. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s/]+/i.test(text);

/** @param channel null for a new one @param language in which a new one speaks */
export function channelToForm(channel: AlertChannel | null, language: "zh" | "en") {
  const target = (type: AlertChannel["type"]): string =>
    channel?.type === type ? channel.target : "";
  return {
    name: channel?.name ?? "",
    type: channel?.type ?? ("chat" as string),
    people: target("chat"),
    address: target("webhook"),
    mails: target("mail"),
    format: channel?.format ?? ("json" as string),
    secret: "",
    unsign: false,
    leastLevel: channel?.leastLevel ?? ("warning" as string),
    language: channel?.language ?? (language as string),
    on: channel?.on ?? true,
  };
}
export type ChannelForm = ReturnType<typeof channelToForm>;

/** @returns what the call takes; the secret only where it changes */
export function channelFromForm(
  form: { readonly [K in keyof ChannelForm]: ChannelForm[K] | undefined },
  channel: AlertChannel | null,
): ChannelBody & { readonly secret?: string } {
  const type = (form.type ?? "chat") as ChannelBody["type"];
  const target =
    type === "webhook"
      ? (form.address ?? "")
      : listedIn((type === "chat" ? form.people : form.mails) ?? "").join(",");
  const secret = form.secret ?? "";
  const changes = type === "webhook" && secret !== "";
  const removes =
    channel !== null && channel.signed && (form.unsign === true || type !== "webhook");
  return {
    name: form.name ?? "",
    type,
    target,
    format: (form.format ?? "json") as ChannelBody["format"],
    leastLevel: (form.leastLevel ?? "warning") as ChannelBody["leastLevel"],
    language: (form.language ?? "zh") as ChannelBody["language"],
    on: form.on === true,
    ...(changes ? { secret } : removes ? { secret: "" } : {}),
  };
}

/** The fields of a channel that differ from its row. */
export function changedChannel(
  changed: { readonly [K in keyof ChannelForm]?: ChannelForm[K] | undefined },
  channel: AlertChannel,
): Partial<ChannelBody> & { readonly secret?: string } {
  const form = { ...channelToForm(channel, channel.language), ...changed };
  const { secret, ...next } = channelFromForm(form, channel);
  return {
    ...(Object.fromEntries(
      Object.entries(next).filter(([key, value]) => value !== channel[key as keyof ChannelBody]),
    ) as Partial<ChannelBody>),
    ...(secret === undefined ? {} : { secret }),
  };
}
