# Terminal for .svg: see png.gp.  Text stays text; the viewer chooses the font,
# which gnuplot cannot ask to be bold here.
TEXT_FONT = 'sans-serif,15'
SMALL_FONT = 'sans-serif,13'
TITLE_FONT = 'sans-serif,21'
set terminal svg noenhanced size WIDTH,HEIGHT font TEXT_FONT background '#ffffff'
