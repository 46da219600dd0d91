// The only module that uses @vscode/webview-ui-toolkit: registration, and JSX types of its elements.
import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit';
import type { JSX as SolidJsx } from 'solid-js';

/** Must run in the page's first script, because the toolkit reads the theme when the page has loaded. */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton());
}

type ElementOf<Properties> = Omit<SolidJsx.HTMLAttributes<HTMLElement>, keyof Properties> & Properties;

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'vscode-button': ElementOf<{ appearance?: 'primary' | 'secondary' | 'icon'; disabled?: boolean }>;
    }
  }
}
