/** Web Push: browsers that ring without a tab (docs/calls.md#web-push). Shapes are ours. */
import { z } from "../../zod.ts";
import { pushLanguageSchema } from "../push.ts";
import { defineCall } from "./call.ts";

const access = { company: "none", guests: true } as const;
/** Bytes in base64url, as `PushSubscription.toJSON()` gives them. */
const bytes = (length: number) =>
  z
    .string()
    .max(200)
    .regex(/^[\w-]+={0,2}$/, "格式有误")
    .refine((text) => Math.floor((text.replaceAll("=", "").length * 3) / 4) === length, "长度有误");
const endpoint = z.url("地址有误").max(1000);

export const pushKeyCall = defineCall({
  id: "push.key",
  method: "GET",
  path: "/dc-im/api/push/key",
  summary: "The public key of this server, which a browser needs in order to subscribe",
  auth: "bearer",
  access,
  page: true,
  touches: [],
  data: z.object({ publicKey: z.string() }),
});

export const pushSubscribeCall = defineCall({
  id: "push.subscribe",
  method: "POST",
  path: "/dc-im/api/push/subscriptions",
  summary:
    "Ring this browser while it has no tab open, until this login ends. Only addresses of known push services are accepted",
  auth: "bearer",
  access,
  page: true,
  touches: [],
  personal: true,
  body: z.object({
    endpoint,
    keys: z.object({ p256dh: bytes(65), auth: bytes(16) }),
    language: pushLanguageSchema,
  }),
});

export const pushUnsubscribeCall = defineCall({
  id: "push.unsubscribe",
  method: "POST",
  path: "/dc-im/api/push/unsubscribe",
  summary: "Ring this browser no more",
  auth: "bearer",
  access,
  page: true,
  touches: [],
  personal: true,
  body: z.object({ endpoint }),
});

export const pushRefuseCall = defineCall({
  id: "push.refuse",
  method: "POST",
  path: "/dc-im/api/push/refuse",
  summary:
    "Refuse the call of a notification. The token of the notification is the permission and works once; a wrong or old one changes nothing",
  auth: "none",
  body: z.object({ token: z.string().regex(/^[\w-]{43}$/, "格式有误") }),
});

export const pushCalls = {
  pushKey: pushKeyCall,
  pushSubscribe: pushSubscribeCall,
  pushUnsubscribe: pushUnsubscribeCall,
  pushRefuse: pushRefuseCall,
};
