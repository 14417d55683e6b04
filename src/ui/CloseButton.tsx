import { Icon } from './Icon.tsx';
import { useUI } from './uiContext.ts';

/** Props of `CloseButton`. */
export interface CloseButtonProps {
  readonly label: string;
  onPress(): void;
}

/** Hides a sentence; discards nothing. */
export function CloseButton({ label, onPress }: CloseButtonProps) {
  const { slots } = useUI();
  const attributes = {
    type: 'button',
    'data-helix-button': 'close',
    'data-helix-action': 'dismiss',
    'aria-label': label,
    title: label,
    onClick: onPress,
  } as const;
  const icon = <Icon name="close" />;
  if (!slots.Button) return <button {...attributes}>{icon}</button>;
  return (
    <slots.Button {...attributes} kind="close" action="dismiss" small={false} busy={false}>
      {icon}
    </slots.Button>
  );
}
