/** Styles of the Arco components that every page may use; pages import the styles of further components themselves. */
import "@arco-design/web-react/es/Button/style/css.js";
import "@arco-design/web-react/es/ConfigProvider/style/css.js";
import "@arco-design/web-react/es/Dropdown/style/css.js";
import "@arco-design/web-react/es/Input/style/css.js";
import "@arco-design/web-react/es/Menu/style/css.js";
import "@arco-design/web-react/es/Message/style/css.js";
import "@arco-design/web-react/es/Modal/style/css.js";
import "@arco-design/web-react/es/Result/style/css.js";
import "@arco-design/web-react/es/Skeleton/style/css.js";
import "@arco-design/web-react/es/Spin/style/css.js";
