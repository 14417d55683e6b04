import { Icon } from './Icon.tsx';

/** Props of `CloseButton`. */
export interface CloseButtonProps {
  readonly label: string;
  onPress(): void;
}

/** Hides a sentence; discards nothing. */
export function CloseButton({ label, onPress }: CloseButtonProps) {
  return (
    <button
      type="button"
      data-helix-button="close"
      data-helix-action="dismiss"
      aria-label={label}
      title={label}
      onClick={onPress}
    >
      <Icon name="close" />
    </button>
  );
}
