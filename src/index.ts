export { CODES, type Category, type ErrorCode, type WireCode } from './protocol/codes.ts';
