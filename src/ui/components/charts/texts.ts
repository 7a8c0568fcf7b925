import { texts } from "../../i18n/texts.ts";

export const CHART_TEXTS = texts({
  range: ["时间范围", "Time range"],
  earlier: ["更早", "Earlier"],
  later: ["更晚", "Later"],
  zoomIn: ["放大", "Zoom in"],
  zoomOut: ["缩小", "Zoom out"],
  reset: ["还原", "Reset"],
  hint: [
    "拖动平移，滚轮缩放，按住 Shift 拖动选择；键盘用方向键、+、-、0",
    "Drag to pan, wheel to zoom, Shift and drag to choose; keys: arrows, +, -, 0",
  ],
  noData: ["该时间段没有数据", "There are no figures of this time"],
  marks: ["标记", "Marks"],
});
