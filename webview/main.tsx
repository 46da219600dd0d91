import './no-eval.ts';

import { render } from 'solid-js/web';
import { openChannel } from './state/channel.ts';
import { createPanel } from './state/panel.ts';
import { registerToolkit } from './ui/toolkit.ts';
import { App } from './views/shell/App.tsx';

registerToolkit();
const panel = createPanel(openChannel());
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element #root.');
// Before the page is drawn, so that the host gathers the session meanwhile.
panel.connect();
render(() => <App panel={panel} />, root);
