import type { ProviderEntry } from '../core/providers/catalog.ts';
import { environmentUrl } from '../core/providers/create-provider.ts';
import type { ApiKeys } from './secrets.ts';
import { type AddressSetting, readSetting, type SettingName, settingNames } from './settings.ts';

/** How a provider is reached: key and address, each empty where there is none. */
export interface ProviderAccess {
  readonly apiKey: string;
  readonly baseUrl: string;
}

/** What the user has stored and set comes before the environment. */
export async function providerAccess(entry: ProviderEntry, keys: ApiKeys): Promise<ProviderAccess> {
  const apiKey = (await keys.get(entry))?.value ?? '';
  const setting = settingNames.filter(isAddress).find((name) => `harness.${name}` === entry.setting);
  const baseUrl = setting === undefined ? '' : readSetting(setting);
  return { apiKey, baseUrl: baseUrl || environmentUrl(entry, process.env) };
}

function isAddress(name: SettingName): name is AddressSetting {
  return name.endsWith('.baseUrl');
}
