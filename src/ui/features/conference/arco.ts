/** Styles of the Arco components that conferences and the dialog of devices use. */
import "@arco-design/web-react/es/Alert/style/css.js";
import "@arco-design/web-react/es/Checkbox/style/css.js";
import "@arco-design/web-react/es/Collapse/style/css.js";
import "@arco-design/web-react/es/InputNumber/style/css.js";
import "@arco-design/web-react/es/Select/style/css.js";
import "@arco-design/web-react/es/Switch/style/css.js";
import "@arco-design/web-react/es/Tooltip/style/css.js";
