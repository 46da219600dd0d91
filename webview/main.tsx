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
// Connects before it draws, so that the host loads the session meanwhile.
panel.connect();
render(() => <App panel={panel} />, root);
