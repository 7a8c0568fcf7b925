/** Styles of the Arco components that only imports use. */
import "@arco-design/web-react/es/Alert/style/css.js";
import "@arco-design/web-react/es/Drawer/style/css.js";
import "@arco-design/web-react/es/InputNumber/style/css.js";
import "@arco-design/web-react/es/Progress/style/css.js";
import "@arco-design/web-react/es/Radio/style/css.js";
import "@arco-design/web-react/es/Select/style/css.js";
import "@arco-design/web-react/es/Steps/style/css.js";
