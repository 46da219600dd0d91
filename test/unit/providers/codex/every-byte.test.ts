import { testEveryByte } from '../../../support/wire/conformance.ts';
import { conformance } from './support.ts';

testEveryByte(conformance);
