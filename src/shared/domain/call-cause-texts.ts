/** The words of the causes for people. */
import type { CallCause } from "./call-causes.ts";

export const CALL_CAUSE_TEXTS: Readonly<
  Record<
    CallCause,
    { readonly zh: string; readonly en: string; readonly zhWhat: string; readonly enWhat: string }
  >
> = {
  loss: {
    zh: "丢包",
    en: "Lost packets",
    zhWhat: "发出的数据有一部分没有到达对方，声音断续、画面花屏",
    enWhat: "Part of what was sent did not arrive: sound breaks up, pictures tear",
  },
  delay: {
    zh: "延迟过大",
    en: "Long delay",
    zhWhat: "数据往返超过半秒，双方容易抢话",
    enWhat: "Data need more than half a second there and back, so people talk at once",
  },
  bandwidth: {
    zh: "带宽不足",
    en: "Narrow bandwidth",
    zhWhat: "网络的上行带宽不够发送声音和画面",
    enWhat: "The network does not carry what is to be sent",
  },
  cpu: {
    zh: "设备性能不足",
    en: "Computer too slow",
    zhWhat: "电脑来不及编码或解码画面，画面卡顿",
    enWhat: "The computer does not encode or decode the picture in time",
  },
  camera: {
    zh: "摄像头无画面",
    en: "Camera without a picture",
    zhWhat: "摄像头被拔出、占用、禁用或没有图像",
    enWhat: "The camera is unplugged, in use, refused, or gives no picture",
  },
  microphone: {
    zh: "麦克风无声音",
    en: "Microphone without sound",
    zhWhat: "麦克风被拔出、占用、禁用或被静音键关闭",
    enWhat: "The microphone is unplugged, in use, refused, or silenced by a key",
  },
  address: {
    zh: "网络地址变化",
    en: "Address changed",
    zhWhat: "电脑切换了网络，通话重新建立连接",
    enWhat: "The computer changed its network, and the call connected again",
  },
  relay: {
    zh: "经中继服务器",
    en: "Relay used",
    zhWhat: "双方无法直接连接，数据经过中继服务器",
    enWhat: "The two could not connect directly; a relay carries the media",
  },
  takeover: {
    zh: "标签页接管",
    en: "Taken over by another tab",
    zhWhat: "通话转到了同一浏览器的另一个标签页",
    enWhat: "The call went on in another tab of the same browser",
  },
  server: {
    zh: "服务器重启",
    en: "Server restarted",
    zhWhat: "通话期间服务器重新启动",
    enWhat: "The server was restarted during the call",
  },
  outage: {
    zh: "中断",
    en: "Interruption",
    zhWhat: "超过五秒没有任何声音和画面",
    enWhat: "Neither sound nor picture came for more than five seconds",
  },
};
