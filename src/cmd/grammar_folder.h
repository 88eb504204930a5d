#ifndef CMD_GRAMMAR_FOLDER_H
#define CMD_GRAMMAR_FOLDER_H

/* $XDG_CONFIG_HOME/memlog/grammar, else ~/.config/memlog/grammar; NULL if there is no home.
 * free() it. */
char *grammar_folder(void);

#endif
