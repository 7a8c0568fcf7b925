/** The words of the causes for people. */
import type { CallCause } from "./call-causes.ts";

/** Chinese and English. */
type Pair = readonly [zh: string, en: string];

export const CALL_CAUSE_TEXTS: Readonly<
  Record<CallCause, { readonly name: Pair; readonly what: Pair }>
> = {
  loss: {
    name: ["丢包", "Lost packets"],
    what: [
      "发出的数据有一部分没有到达对方，声音断续、画面花屏",
      "Part of what was sent did not arrive: sound breaks up, pictures tear",
    ],
  },
  delay: {
    name: ["延迟过大", "Long delay"],
    what: [
      "数据往返超过半秒，双方容易抢话",
      "Data need more than half a second there and back, so people talk at once",
    ],
  },
  bandwidth: {
    name: ["带宽不足", "Narrow bandwidth"],
    what: ["网络的上行带宽不够发送声音和画面", "The network does not carry what is to be sent"],
  },
  cpu: {
    name: ["设备性能不足", "Computer too slow"],
    what: [
      "电脑来不及处理通话的声音和画面，出现卡顿",
      "The computer has too little time for the sound and picture of the call, which stutter",
    ],
  },
  camera: {
    name: ["摄像头无画面", "Camera without a picture"],
    what: [
      "摄像头被拔出、占用、禁用或没有图像",
      "The camera is unplugged, in use, refused, or gives no picture",
    ],
  },
  microphone: {
    name: ["麦克风无声音", "Microphone without sound"],
    what: [
      "麦克风被拔出、占用、禁用或被静音键关闭",
      "The microphone is unplugged, in use, refused, or silenced by a key",
    ],
  },
  address: {
    name: ["网络地址变化", "Address changed"],
    what: [
      "电脑切换了网络，通话重新建立连接",
      "The computer changed its network, and the call connected again",
    ],
  },
  relay: {
    name: ["经中继服务器", "Relay used"],
    what: [
      "双方无法直接连接，数据经过中继服务器",
      "The two could not connect directly; a relay carries the media",
    ],
  },
  takeover: {
    name: ["标签页接管", "Taken over by another tab"],
    what: [
      "通话转到了同一浏览器的另一个标签页",
      "The call went on in another tab of the same browser",
    ],
  },
  server: {
    name: ["服务器重启", "Server restarted"],
    what: ["通话期间服务器重新启动", "The server was restarted during the call"],
  },
  outage: {
    name: ["中断", "Interruption"],
    what: [
      "超过五秒没有任何声音和画面",
      "Neither sound nor picture came for more than five seconds",
    ],
  },
};
