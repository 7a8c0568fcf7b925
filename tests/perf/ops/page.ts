/** The peer of the fleet's charts: echarts with the same series, size and number of charts, panned together. */
import { BarChart, LineChart } from "echarts/charts";
import { DataZoomComponent, GridComponent } from "echarts/components";
import { connect, init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import type { PeerCharts } from "./contracts.ts";

use([LineChart, BarChart, GridComponent, DataZoomComponent, CanvasRenderer]);

globalThis.drawCharts = ({ from, to, width, height, charts }: PeerCharts) => {
  const root = document.querySelector("#root");
  const began = performance.now();
  const made = charts.map((series) => {
    const box = document.createElement("div");
    Object.assign(box.style, { width: `${width}px`, height: `${height}px`, float: "left" });
    root?.append(box);
    const chart = init(box);
    chart.group = "ops";
    chart.setOption({
      animation: false,
      grid: { left: 46, right: 8, top: 8, bottom: 28 },
      xAxis: { type: "time", min: "dataMin", max: "dataMax" },
      yAxis: { type: "value" },
      dataZoom: [{ type: "inside", filterMode: "none", startValue: from, endValue: to }],
      series: series.map((data) => ({
        type: "line",
        symbol: "none",
        data: data.map(([time, value]) => [time, value]),
      })),
    });
    return chart;
  });
  connect("ops");
  globalThis.panTo = (startValue, endValue) => {
    made[0]?.dispatchAction({ type: "dataZoom", startValue, endValue });
  };
  globalThis.shownFrom = from;
  globalThis.shownSpan = to - from;
  return performance.now() - began;
};
